import {
  configurationLoad,
  loadFields,
  plannedSeconds,
  type RegionUsers,
  runnersOf,
} from "../model/configuration-load.ts";
import type { JsonObject } from "../model/json.ts";
import { childIndex, type Tree, type TreeNode } from "../model/tree.ts";

/** All of a configuration that limits are compared with. Plain data: a saved plan contains it. */
export interface DeclaredLoad {
  readonly address: string;
  /** Its users are as many as `users.breakingPoint` says; those in `regions` are of no account. */
  readonly isBreakingPoint?: true;
  readonly regions: readonly RegionUsers[];
  /** Planned time of a run; absent when it ends by iterations. */
  readonly seconds?: number;
  readonly userHours?: number;
  readonly schedules: readonly DeclaredSchedule[];
  /** Its figures come from `${env:…}`, so that no message may contain them, and no file. */
  readonly isHidden?: true;
}

/** A schedule with its fields in normal form. */
export interface DeclaredSchedule {
  readonly address: string;
  readonly fields: JsonObject;
}

/** The loads of all configurations of a desired tree; one whose users are not known, for want of a variable, is left out. */
export function declaredLoads(tree: Tree): readonly DeclaredLoad[] {
  const children = childIndex(tree);
  return [...tree.nodes.values()].flatMap((node) =>
    node.kind === "configuration" ? declaredLoad(node, children.get(node.handle) ?? []) : [],
  );
}

function declaredLoad(node: TreeNode, below: readonly TreeNode[]): readonly DeclaredLoad[] {
  const { fields, handle: address } = node;
  const schedules = below.filter(({ kind }) => kind === "schedule");
  const isBreakingPoint = fields.profileType === "BreakingPoint";
  const load = configurationLoad(fields);
  const seconds = plannedSeconds(fields);
  const runners = isBreakingPoint ? runnersOf(fields) : (load?.runners ?? []);
  if (runners.length === 0) return [];
  const isHidden = isSensitive(node, loadFields) || schedules.some((schedule) => isSensitive(schedule));
  return [
    {
      address,
      ...(isBreakingPoint && { isBreakingPoint }),
      regions: runners.flatMap(({ regions }) =>
        isBreakingPoint ? regions.map((region) => ({ ...region, users: 0 })) : regions,
      ),
      ...(seconds !== undefined && { seconds }),
      ...(load?.userHours !== undefined && { userHours: load.userHours }),
      schedules: schedules.map(({ handle, fields: own }) => ({ address: handle, fields: own })),
      ...(isHidden && { isHidden }),
    },
  ];
}

/** True where a value of one of these fields, or of any, is sensitive. */
function isSensitive({ sensitive = [] }: TreeNode, names?: readonly string[]): boolean {
  return sensitive.some((path) => names?.includes(path.split(".")[0] ?? "") ?? true);
}

/** A load as a file may have it: without figures that come from `${env:…}`. */
export function withheldLoad(load: DeclaredLoad): DeclaredLoad {
  return load.isHidden ? { address: load.address, isHidden: true, regions: [], schedules: [] } : load;
}

/** True for a load whose figures were left out of a file. */
export function isWithheld({ regions }: DeclaredLoad): boolean {
  return regions.length === 0;
}
