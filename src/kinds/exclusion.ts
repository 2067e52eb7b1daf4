import { choice, group, integer } from "../model/field.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import type { Variant } from "../model/kind.ts";
import { withoutInactive } from "../model/variant.ts";

const minutes = ["startMinute", "endMinute"];
const hours = ["startHour", "endHour", ...minutes];

const variants: readonly Variant[] = [
  {
    by: "recurringInterval",
    owns: {
      Month: ["startDay", "endDay", ...hours],
      Week: ["startDayOfWeek", "endDayOfWeek", ...hours],
      WeekDay: hours,
      Day: hours,
      Hour: minutes,
    },
  },
];

const bound = (description: string, minimum: number, maximum: number, usual?: number) =>
  integer({ description, minimum, maximum, origin: "decision", ...(usual === undefined ? {} : { default: usual }) });

/** A time at which something begins; that of an end may be 24:00 at the service, so it is a decision. */
const beginning = (description: string, maximum: number) => integer({ description, minimum: 0, maximum, default: 0 });

/** API 1, Exclusion window: times, in UTC, at which scheduled runs are skipped. May wrap: 22:00 until 02:00. */
export const exclusion = group(
  {
    recurringInterval: choice(["Month", "Week", "WeekDay", "Day", "Hour"], {
      description: "How often the window comes.",
      required: true,
    }),
    startDay: bound("First day of the month.", 1, 31),
    endDay: bound("Last day of the month.", 1, 31),
    startDayOfWeek: bound("First day of the week; 1 is Monday.", 1, 7),
    endDayOfWeek: bound("Last day of the week; 1 is Monday.", 1, 7),
    startHour: beginning("Hour at which it starts, UTC.", 23),
    endHour: bound("Hour at which it ends, UTC.", 0, 23, 0),
    startMinute: beginning("Minute at which it starts.", 59),
    endMinute: bound("Minute at which it ends.", 0, 59, 0),
  },
  {
    description: "A window in which scheduled runs are skipped.",
    normalize: (value) => (isObject(value) ? withoutInactive({ variants }, value) : value),
  },
);

/** Members that a window of this interval cannot have. */
export function foreignMembers(value: JsonObject): readonly string[] {
  const own = withoutInactive({ variants }, value);
  return Object.keys(value).filter((member) => !(member in own));
}
