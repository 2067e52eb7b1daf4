import type { Scope } from "../core/scope.ts";
import { listedFields, viewConfiguration } from "../views/configuration.ts";
import { isActive, nextScheduled } from "../views/schedule.ts";
import type { View } from "../views/stamp.ts";
import { stamp } from "../views/stamp.ts";
import { ownerOf } from "./access.ts";

/** Seed 1, GET /scheduled: every schedule of these organizations with its configuration, in id order. */
export function scheduledEntries(organizations: ReadonlySet<number>, scope: Scope): readonly View[] {
  const { store } = scope;
  return store.all("schedule").flatMap((row) => {
    const configuration = store.get("configuration", row.configurationId);
    if (configuration === undefined || !organizations.has(ownerOf(store, "schedule", row) ?? -1)) return [];
    return [
      {
        ...stamp(row),
        nextScheduled: nextScheduled(row, scope),
        scheduleType: row.scheduleType,
        active: isActive(row, scope.now),
        configuration: {
          ...viewConfiguration(configuration, { down: false, up: false }, scope),
          ...listedFields(configuration, scope),
        },
      },
    ];
  });
}
