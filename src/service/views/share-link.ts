import type { ShareLinkRecord } from "../store/records.ts";
import type { View } from "./stamp.ts";
import { stamp } from "./stamp.ts";

/** Seed 1, Share link. */
export function viewShareLink(row: ShareLinkRecord): View {
  return {
    ...stamp(row),
    name: row.name,
    targetType: "GetLatestExecution",
    targetId: row.configurationId,
    description: row.description,
    active: row.active,
    organization: { id: row.organizationId },
  };
}
