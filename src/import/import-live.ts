import type { Api } from "../api/routes.ts";
import { routes } from "../api/routes.ts";
import type { ShapeName } from "../api/shapes.ts";
import { shapes } from "../api/shapes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { byText, isObject } from "../model/json.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { bindNodes } from "../plan/bind.ts";
import type { CommandPlace } from "../plan/plan-input.ts";
import { otherTarget, placeWords } from "../plan/plan-input.ts";
import { fillContents } from "../remote/fill-contents.ts";
import { readTree } from "../remote/read-tree.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { State } from "../state/state.ts";
import { removeTemporaryFolders } from "../workspace/temporary-folder.ts";
import type { ImportOutcome, ImportWork } from "./import-files.ts";
import { importFiles, noImport } from "./import-files.ts";
import { boundProblems, openPasswordProblems, unmatchedProblems } from "./import-problems.ts";
import type { Wanted } from "./select-nodes.ts";
import { selectNodes } from "./select-nodes.ts";

/** An import with everything open, under the lock of the state. */
export interface LiveImport
  extends Omit<ImportWork, "wanted" | "live" | "state" | "bound" | "fingerprint" | "commandWords"> {
  readonly api: Api;
  /** Whether the project names its organization. */
  readonly filtered: boolean;
  readonly chosen: Wanted;
  readonly place: CommandPlace;
  readonly fingerprint: (state: State) => ImportWork["fingerprint"];
  /** Why the state is not to be begun here: the project's state is at another location. */
  readonly stateElsewhere: () => Promise<readonly Diagnostic[]>;
  /** The state with unresolved creates matched to the live tree. */
  readonly recover: (live: Tree) => { readonly state: State; readonly diagnostics: readonly Diagnostic[] };
  /** What other environments of the project bind, in words by live handle. */
  readonly boundElsewhere: (live: Tree) => Promise<{
    readonly owners: ReadonlyMap<string, string>;
    readonly diagnostics: readonly Diagnostic[];
  }>;
}

/** Reads the service, chooses what is wanted and not bound, and writes it into the project's files. */
export async function importLive(work: LiveImport): Promise<ImportOutcome> {
  const { target, loading, stored, service, place, signal, api } = work;
  const { kinds } = loading;
  await removeTemporaryFolders(target.root);
  const blocked = otherTarget({ ...place, state: stored.state, target: service });
  if (blocked.length > 0) return noImport("blocked", blocked);
  const elsewhere = await work.stateElsewhere();
  if (elsewhere.length > 0) return noImport("failed", elsewhere);
  const { tree, unknown } = await readAll(work);
  if (signal?.aborted) return noImport("interrupted", []);
  const { state, diagnostics } = work.recover(tree);
  const selection = selectNodes(tree, kinds, work.chosen);
  if (selection.unmatched.length > 0) return noImport("failed", unmatchedProblems(selection.unmatched));
  const bound = bindNodes(state, tree, target.project.moved).addressOf;
  const wanted = new Set([...selection.handles].filter((handle) => !bound.has(handle)));
  const owned = wanted.size === 0 ? [] : await boundByOthers(work, tree, wanted);
  if (hasErrors(owned)) return noImport("failed", owned);
  const known = (handle: string) => (wanted.has(handle) ? {} : undefined);
  const live = await fillContents(tree, { api, organization: service.organization, kinds, hash: sha256, known });
  const fingerprint = work.fingerprint(state);
  const outcome = await importFiles({
    ...work,
    ...{ wanted, live, bound, fingerprint, commandWords: placeWords(place) },
    state: { ...state, target: state.target ?? service },
  });
  // What an import takes from the environment is named in its outcome.
  const ofProject = target.project.diagnostics.filter(({ code }) => code !== "LF1303");
  const notices = [...unknownFieldProblems(unknown, selection.handles), ...openPasswordProblems(outcome.objects, live)];
  return { ...outcome, diagnostics: [...ofProject, ...owned, ...diagnostics, ...notices, ...outcome.diagnostics] };
}

async function boundByOthers(
  { boundElsewhere }: LiveImport,
  live: Tree,
  wanted: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const { owners, diagnostics } = await boundElsewhere(live);
  return [...diagnostics, ...boundProblems(live, owners, wanted)];
}

/** The whole live tree of the organization, and fields in it that are not documented. */
async function readAll({
  api,
  service,
  filtered,
  loading: { kinds },
}: LiveImport): Promise<{ readonly tree: Tree; readonly unknown: readonly UnknownField[] }> {
  const watch = watchUnknownFields(api);
  const roots = kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name);
  const scope = { organization: service.organization, filtered, wanted: new Set(roots), hash: sha256 };
  const tree = await readTree({ ...scope, api: watch.api, kinds });
  return { tree, unknown: watch.unknown() };
}

/** A field of answers that the service's documents do not have. */
interface UnknownField {
  /** Name of the object on the wire, with the field: `configuration.colour`. */
  readonly name: string;
  /** Handles of the objects that have it, or whose inner objects have it. */
  readonly handles: readonly string[];
}

/** An api that notes the fields of answers which the route table does not describe. */
function watchUnknownFields(api: Api): { readonly api: Api; readonly unknown: () => readonly UnknownField[] } {
  const found = new Map<string, Set<string>>();
  return {
    api: {
      async call(route, input, options) {
        const answer = await api.call(route, input, options);
        const described: unknown = routes[route].answer;
        if (typeof described === "string") look(answer as Json, described, { found, owner: "" });
        return answer;
      },
    },
    unknown: () =>
      [...found]
        .map(([name, handles]) => ({ name, handles: [...handles].sort(byText) }))
        .sort((left, right) => byText(left.name, right.name)),
  };
}

interface Looking {
  readonly found: Map<string, Set<string>>;
  /** Handle of the nearest object with an id. */
  readonly owner: string;
}

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = shapes;

function look(value: Json | undefined, descriptor: string, looking: Looking): void {
  const [, name, list] = /^@(\w+)(\[\])?/.exec(descriptor) ?? [];
  const fields = name === undefined ? undefined : tables[name as ShapeName];
  if (name === undefined || fields === undefined) return;
  if (list && Array.isArray(value)) for (const item of value) lookAtObject(item as Json, { name, fields }, looking);
  else lookAtObject(value, { name, fields }, looking);
}

interface Shape {
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

function lookAtObject(value: Json | undefined, { name, fields }: Shape, { found, owner }: Looking): void {
  if (!isObject(value)) return;
  const isStored = fields["createdAt"] !== undefined && typeof value["id"] === "number";
  const handle = isStored ? liveHandle(name, Number(value["id"])) : owner;
  for (const [member, held] of Object.entries(value)) {
    const descriptor = Object.hasOwn(fields, member) ? fields[member] : undefined;
    if (descriptor !== undefined) look(held, descriptor, { found, owner: handle });
    else if (held !== null) found.set(`${name}.${member}`, (found.get(`${name}.${member}`) ?? new Set()).add(handle));
  }
}

/** Fields of answers that nothing describes. */
function unknownFieldProblems(unknown: readonly UnknownField[], wanted: ReadonlySet<string>): readonly Diagnostic[] {
  return unknown.flatMap(({ name, handles }): Diagnostic[] => {
    const own = handles.filter((handle) => wanted.has(handle));
    if (own.length === 0) return [];
    const shown = own.slice(0, 3).join(", ") + (own.length > 3 ? ` and ${own.length - 3} more` : "");
    const detail = `found ${name} on ${shown}; expected only fields of the service's documents. It is kept out of the files and stays as it is`;
    return [{ severity: "warning", code: "LF3012", summary: `${name} is not known to loadform`, detail }];
  });
}
