import { writeYaml } from "../authoring/write-yaml.ts";
import type { Project } from "../config/load-project.ts";
import { projectCache } from "../config/parse-cache.ts";
import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import type { SecretFingerprint } from "../model/fingerprint.ts";
import { type Json, sameJson, valueAt } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import type { Target } from "../model/target.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";
import type { WrittenObject } from "../model/written.ts";
import { bindingsAsApplied } from "../plan/bind.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Change } from "../plan/plan.ts";
import { declaredInput, plainOptions } from "../plan/plan-input.ts";
import { isWriteOnly } from "../plan/secrets.ts";
import type { State, StateResource } from "../state/state.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { type ImportLoading, type ImportTarget, loadWith } from "./import-target.ts";
import type { Imported } from "./import-tree.ts";

export interface ProofInput {
  readonly target: ImportTarget;
  readonly loading: ImportLoading;
  readonly live: Tree;
  readonly state: State;
  /** The service of the live tree. */
  readonly service: Target;
  readonly fingerprint: SecretFingerprint;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The project with the files of an import: the reasons why it cannot be read, or its plan. */
export interface Proof {
  readonly errors: readonly Diagnostic[];
  /** Planned changes of the imported objects: none, when the import is right. */
  readonly changes: readonly Change[];
  readonly problems: readonly Diagnostic[];
  /** Bindings with last-applied values, as after an apply. */
  readonly bindings: Readonly<Record<string, StateResource>>;
  /** Addresses of imported objects with values that nobody can read back: the first apply sends them. */
  readonly hidden?: readonly string[];
}

/** Loads the project as it would be, and plans it against the tree that its files were made of. */
export async function proveImport(
  input: ProofInput,
  { environment, bindings }: Imported,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<Proof> {
  const { target, loading } = input;
  const values = environment.map(({ name }) => [name, `value of ${name} during import`]);
  const cache = projectCache(target.workspace, loading);
  const project = await loadWith(target, files, {
    ...loading,
    env: { ...loading.env, ...Object.fromEntries(values) },
    // Files that are parsed now are not in place yet.
    cache: cache && { ...cache, write: async () => undefined },
  });
  const errors = project.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return { errors, changes: [], problems: [], bindings: {} };
  const planned = planImported(input, project, bindings);
  const elsewhere = changedElsewhere(target.project.tree, project, { bindings, files });
  return { errors, ...planned, problems: [...planned.problems, ...elsewhere] };
}

/**
 * Other objects that the import would declare, or hide: its lines may be in a mapping that others merge, or beside a merge key, and what it
 * adds to `include` may bring in other files.
 */
function changedElsewhere(
  before: Tree,
  { tree: after, locate }: Project,
  { bindings, files }: Pick<Imported, "bindings"> & { readonly files: ReadonlyMap<string, unknown> },
): readonly Diagnostic[] {
  const all = new Set([...before.nodes.keys(), ...after.nodes.keys()]);
  return [...all].flatMap((address) => {
    const [former, next] = [before.nodes.get(address), after.nodes.get(address)];
    const isSame = former && next && (former.sensitive || sameJson(former.fields, next.fields));
    if (isSame || Object.hasOwn(bindings, address)) return [];
    const then = next === undefined ? "no longer be declared" : former ? "change" : "be declared, too";
    const file = former ? undefined : locate(address)?.file;
    const cause =
      file === undefined || files.has(file)
        ? "a merge key or an anchor shares what is written there. Write out what is shared"
        : `include takes in ${file} by then. Include that file, or move it away`;
    const detail = `With this import it would ${then}: ${cause}, and import again. Nothing was moved into the project`;
    return [{ ...errorOf("LF3012", `${address} would ${then}`, detail), address }];
  });
}

/**
 * Plans the imported objects. Write-only values count as equal here, for they cannot be read; their fingerprints are
 * not stored, so the first apply sends them.
 */
function planImported(
  { loading: { kinds }, live, state, service, fingerprint, now }: ProofInput,
  project: Project,
  bindings: Imported["bindings"],
): Omit<Proof, "errors"> {
  const asApplied = bindingsAsApplied({ ...state.resources, ...bindings }, { kinds, live });
  const bound = Object.entries(bindings).map(([address, binding]): [string, StateResource] => {
    const declared = project.tree.nodes.get(address);
    const node = live.nodes.get(liveHandle(binding.kind, binding.id));
    if (declared && node && declared.sensitive === undefined) return [address, asApplied(binding, declared, node)];
    const values = writeOnlyValues(kinds, declared, node);
    const secrets = values.map(([path, value]) => [path, fingerprint(binding.kind, path, value)]);
    return [address, secrets.length === 0 ? binding : { ...binding, secrets: Object.fromEntries(secrets) }];
  });
  const plan = makePlan({
    ...declaredInput(kinds, project),
    target: service,
    live,
    readKinds: new Set(kinds.map(({ name }) => name)),
    state: { ...state, resources: { ...state.resources, ...Object.fromEntries(bound) } },
    options: plainOptions,
    fingerprint,
    now: now(),
    history: new Map(),
  });
  const isImported = (address = "") => Object.hasOwn(bindings, address);
  // What is below a test case that is imported alone was safe before; others say what they leave out.
  const [only = "", ...others] = Object.keys(bindings);
  const isAlone = others.length === 0 && !only.includes("/");
  const isLost = ({ reason, address }: Change) => reason === "unmanaged" && isAlone && address.startsWith(`${only}/`);
  return {
    changes: plan.changes.filter((change) => isImported(change.address) || isLost(change)),
    problems: plan.diagnostics.filter(({ severity, address }) => severity === "error" && isImported(address)),
    hidden: bound.flatMap(([address, { secrets }]) => (secrets === bindings[address]?.secrets ? [] : [address])),
    bindings: Object.fromEntries(
      bound.map(([address, binding]) => [address, withoutWriteOnly(binding, plan.stateChanges[address])]),
    ),
  };
}

function writeOnlyValues(kinds: readonly AnyKind[], declared: TreeNode | undefined, live: TreeNode | undefined) {
  const kind = declared && kindsByName(kinds).get(declared.kind);
  if (declared === undefined || live === undefined || kind === undefined) return [];
  return (declared.sensitive ?? []).flatMap((dotted): [string, Json][] => {
    const path = dotted.split(".");
    const value = valueAt(declared.fields, path);
    return isWriteOnly(kind, live.fields, path) && value !== undefined && value !== null ? [[dotted, value]] : [];
  });
}

function withoutWriteOnly(before: StateResource, after: StateResource | null | undefined): StateResource {
  const { secrets: all, ...rest } = after ?? before;
  const known = Object.entries(all ?? {}).filter(([path]) => before.secrets?.[path] === undefined);
  return known.length === 0 ? rest : { ...rest, secrets: Object.fromEntries(known) };
}

/** The objects to blame for a file of ours that cannot be read back, in the reader's words: the deepest one that explains it alone. */
export function unwritableObjects(
  objects: readonly WrittenObject[],
  kinds: readonly AnyKind[],
): readonly { readonly object: WrittenObject; readonly why: string }[] {
  return objects.flatMap((object) => {
    const why = readingProblem(object, kinds);
    if (why === undefined) return [];
    const isBelow = readingProblem({ ...object, children: [] }, kinds) === undefined;
    const below = isBelow ? unwritableObjects(object.children, kinds) : [];
    return below.length > 0 ? below : [{ object, why }];
  });
}

function readingProblem(object: WrittenObject, kinds: readonly AnyKind[]): string | undefined {
  const file = "load/object.yaml";
  const [first] = parseYaml(writeYaml([object], { file, kinds }), file).diagnostics;
  return first && `${first.summary}: ${first.detail}`;
}
