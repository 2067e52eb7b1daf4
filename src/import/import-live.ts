import type { Api } from "../api/routes.ts";
import { type CommandPlace, placeWords } from "../model/command-place.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import type { Tree } from "../model/tree.ts";
import { bindNodes } from "../plan/bind.ts";
import { otherTarget } from "../plan/plan-input.ts";
import { fillContents } from "../remote/fill-contents.ts";
import type { State } from "../state/state.ts";
import { sha256 } from "../workspace/hash.ts";
import { removeTemporaryFolders } from "../workspace/temporary-folder.ts";
import { type ImportOutcome, type ImportWork, importFiles, noImport } from "./import-files.ts";
import { boundProblems, openPasswordProblems } from "./import-problems.ts";
import { readOrganization } from "./read-organization.ts";
import { isOne, type Wanted } from "./select-nodes.ts";
import { selectWanted } from "./select-wanted.ts";

/** An import with everything open, under the lock of the state. */
export interface LiveImport
  extends Omit<ImportWork, "wanted" | "isOne" | "live" | "state" | "bound" | "fingerprint" | "commandWords"> {
  readonly api: Api;
  readonly chosen: Wanted;
  readonly place: CommandPlace;
  readonly fingerprint: (state: State) => ImportWork["fingerprint"];
  /** Why the state is not to be begun here: the project's state is at another location. */
  readonly stateElsewhere: () => Promise<readonly Diagnostic[]>;
  /** The state with unresolved creates matched to the live tree. */
  readonly recover: (live: Tree) => { readonly state: State; readonly diagnostics: readonly Diagnostic[] };
  /** Objects bound by other environments of the project, in words by live handle. */
  readonly boundElsewhere: (live: Tree) => Promise<{
    readonly owners: ReadonlyMap<string, string>;
    readonly diagnostics: readonly Diagnostic[];
  }>;
}

/** Reads the service, chooses the wanted objects that are not bound, and writes them into the project's files. */
export async function importLive(work: LiveImport): Promise<ImportOutcome> {
  const { target, loading, stored, service, place, signal, api } = work;
  const { kinds } = loading;
  if (work.session) await removeTemporaryFolders(target.root);
  const blocked = otherTarget({ ...place, state: stored.state, target: service });
  if (blocked.length > 0) return noImport("blocked", blocked);
  const elsewhere = await work.stateElsewhere();
  if (elsewhere.length > 0) return noImport("failed", elsewhere);
  const { tree, notices: noticesOf } = await readOrganization(work.api, work);
  if (signal?.aborted) return noImport("interrupted", []);
  const { state, diagnostics } = work.recover(tree);
  const bound = bindNodes(state, tree, target.project.moved).addressOf;
  const { tree: declared, locate } = target.project;
  const choice = { live: tree, kinds, bound, declared, locate, commandWords: placeWords(place) };
  const selection = selectWanted(work.chosen, choice);
  if ("problems" in selection) return noImport("failed", selection.problems);
  const wanted = new Set([...selection.handles].filter((handle) => !bound.has(handle)));
  const others = wanted.size === 0 ? undefined : await work.boundElsewhere(tree);
  const owned = others === undefined ? [] : [...others.diagnostics, ...boundProblems(tree, others.owners, wanted)];
  if (hasErrors(owned)) return noImport("failed", owned);
  const known = (handle: string) => (wanted.has(handle) ? {} : undefined);
  const live = await fillContents(tree, { api, organization: service.organization, kinds, hash: sha256, known });
  const fingerprint = work.fingerprint(state);
  const outcome = await importFiles({
    ...work,
    ...{ wanted, live, bound, fingerprint, commandWords: placeWords(place) },
    isOne: isOne(work.chosen),
    state: { ...state, target: state.target ?? service },
  });
  // The environment variables that an import needs are in its outcome already.
  const ofProject = target.project.diagnostics.filter(({ code }) => code !== "LF1303");
  const notices = [...noticesOf(selection.handles), ...openPasswordProblems(outcome.objects, live)];
  return { ...outcome, diagnostics: [...ofProject, ...owned, ...diagnostics, ...notices, ...outcome.diagnostics] };
}
