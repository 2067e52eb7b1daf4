import type { ProjectPart } from "../config/load-project.ts";
import { kinds } from "../kinds/index.ts";
import { childAddress, topAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { kindsByName } from "../model/kind.ts";
import { holdsReference } from "../model/references.ts";
import type { Change, Plan } from "../plan/plan.ts";
import type { RootFilter } from "../remote/read-tree.ts";
import type { StoredState } from "../state/store.ts";
import type { LoadedProject } from "./open-project.ts";
import type { LiveLists, LiveRead } from "./read-live.ts";

/** The state and the live tree of the test cases whose files changed, and of everything that is no test case. */
export async function readPart(
  { testCases }: ProjectPart,
  stored: StoredState,
  { lists, known }: { readonly lists: LiveLists; readonly known: ReadonlySet<string> },
): Promise<{ readonly stored: StoredState; readonly live: LiveRead }> {
  const tops = new Set([...testCases].map((key) => childAddress(undefined, root, key)));
  const all = Object.entries(stored.state.resources);
  const resources = all.filter(([address]) => !address.startsWith(`${root}.`) || tops.has(topAddress(address)));
  const partly = { ...stored, state: { ...stored.state, resources: Object.fromEntries(resources) } };
  const ids = new Set(resources.flatMap(([, { kind, id }]) => (kind === root ? [id] : [])));
  const only: RootFilter = ({ kind, id }) => kind !== root || ids.has(id);
  return { stored: partly, live: await lists.part({ stored: partly, known, only }) };
}

/** The kind whose objects are looked at alone: nothing outside a test case refers to what is in it. */
const root = "testCase";

/** What came out of planning. */
interface Outcome {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly blocked: readonly Diagnostic[];
}

/**
 * The plan of a part as the plan of all, which the last time found nothing to do with `noop` objects. Undefined unless it only
 * updates fields that nothing else depends on, and there is nothing more to say.
 */
export function planOfAll({ plan, diagnostics, blocked }: Outcome, noop: number): Plan | undefined {
  if (plan === undefined) return undefined;
  const { drift, unmanaged, pending, guards, foundMoves, settles, changes } = plan;
  const others = [diagnostics, blocked, drift, unmanaged, pending, guards, foundMoves, Object.keys(settles)];
  const isPlain = others.every((list) => list.length === 0) && changes.every(isOwnUpdate);
  return isPlain ? { ...plan, summary: { ...plan.summary, noop: noop - changes.length } } : undefined;
}

function isOwnUpdate({ kind: name, action, importing, previousAddress, fields }: Change): boolean {
  const kind = kindsByName(kinds).get(name);
  if (kind === undefined || action !== "update" || importing || previousAddress !== undefined) return false;
  return fields.every(({ field }) => {
    const declared = kind.fields[field];
    return field !== "name" && declared !== undefined && !holdsReference(declared);
  });
}

/** The project with all its test cases. */
export function wholeProject(project: LoadedProject): LoadedProject {
  const { part, ...others } = project;
  if (part === undefined) return project;
  const whole = part.whole();
  return { ...others, ...whole, diagnostics: [...project.diagnostics, ...whole.diagnostics] };
}
