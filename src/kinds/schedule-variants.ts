import type { Variant } from "../model/kind.ts";

/** Which fields belong to which schedule. */
export const scheduleVariants: readonly Variant[] = [
  {
    by: "scheduleType",
    owns: {
      Single: ["nextScheduled"],
      Recurring: ["recurringInterval", "minute", "hour", "week", "dayOfWeek", "month", "day", "exclusions", "active"],
    },
  },
  {
    by: "recurringInterval",
    owns: {
      Minute: ["minute"],
      Hour: ["hour", "minute"],
      WeekDay: ["hour", "minute"],
      Day: ["hour", "minute"],
      Week: ["week", "dayOfWeek", "hour", "minute"],
      Month: ["month", "day", "hour", "minute"],
    },
  },
];
