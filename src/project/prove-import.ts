import type { Project } from "../config/load-project.ts";
import type { ImportRequest } from "../import/import-tree.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { valueAt } from "../model/json.ts";
import { kindsByName } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { makePlan } from "../plan/make-plan.ts";
import { isWriteOnly } from "../plan/mask-secrets.ts";
import type { Change } from "../plan/plan.ts";
import { plainOptions } from "../plan/plan-input.ts";
import { secretFingerprint } from "../state/secret-fingerprint.ts";
import type { State, StateResource, Target } from "../state/state.ts";
import { declaredInput } from "./declared-input.ts";
import type { World } from "./world.ts";

/** A project as it would be, and what would be bound. */
export interface ProofInput {
  readonly project: Project;
  readonly live: ImportRequest["live"];
  readonly state: State;
  readonly target: Target;
  readonly bindings: Readonly<Record<string, StateResource>>;
  readonly world: Pick<World, "deriveKey" | "now">;
}

/** What a plan from the imported files says of the imported objects. */
export interface Proof {
  /** What it would do about them: nothing, when the import is right. */
  readonly changes: readonly Change[];
  readonly problems: readonly Diagnostic[];
  /** Bindings with last-applied values, as an apply would have left them. */
  readonly bindings: Readonly<Record<string, StateResource>>;
}

/**
 * Plans from the imported files against the tree that they were made of. Write-only values count as equal here, for
 * nobody can know them; their fingerprints are not kept, so the first apply sends them.
 */
export function proveImport({ project, live, state, target, bindings, world }: ProofInput): Proof {
  const fingerprint = secretFingerprint(state, world.deriveKey);
  const taken = Object.entries(bindings).map(([address, binding]): [string, StateResource] => {
    const paths = unreadable(project.tree.nodes.get(address), live.nodes.get(liveHandle(binding.kind, binding.id)));
    const secrets = paths.map(([path, value]) => [path, fingerprint(binding.kind, path, value)]);
    return [address, secrets.length === 0 ? binding : { ...binding, secrets: Object.fromEntries(secrets) }];
  });
  const plan = makePlan({
    ...declaredInput(project),
    target,
    live,
    known: new Set(kinds.flatMap(({ name, parent }) => (parent === undefined ? [name] : []))),
    state: { ...state, resources: { ...state.resources, ...Object.fromEntries(taken) } },
    options: plainOptions,
    fingerprint,
    now: world.now(),
    history: new Map(),
  });
  const isOurs = (address: string | undefined) => address !== undefined && Object.hasOwn(bindings, address);
  return {
    changes: plan.changes.filter(({ address }) => isOurs(address)),
    problems: plan.diagnostics.filter(({ severity, address }) => severity === "error" && isOurs(address)),
    bindings: Object.fromEntries(taken.map(([address, binding]) => [address, settled(binding, plan.settles[address])])),
  };
}

/** Write-only values of a wish, by dotted path. */
function unreadable(wish: TreeNode | undefined, live: TreeNode | undefined): readonly (readonly [string, Json])[] {
  const kind = wish && kindsByName(kinds).get(wish.kind);
  if (wish === undefined || live === undefined || kind === undefined) return [];
  return (wish.sensitive ?? []).flatMap((dotted): [string, Json][] => {
    const path = dotted.split(".");
    const value = valueAt(wish.fields, path);
    const isHidden = isWriteOnly(kind, live.fields, path) && value !== undefined && value !== null;
    return isHidden ? [[dotted, value]] : [];
  });
}

function settled(before: StateResource, after: StateResource | null | undefined): StateResource {
  const { secrets: all, ...rest } = after ?? before;
  const known = Object.entries(all ?? {}).filter(([path]) => before.secrets?.[path] === undefined);
  return known.length === 0 ? rest : { ...rest, secrets: Object.fromEntries(known) };
}
