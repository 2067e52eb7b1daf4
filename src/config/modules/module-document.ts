import type { Diagnostic } from "../../model/diagnostic.ts";
import { workTreeFiles } from "../../workspace/work-tree.ts";
import { findExact } from "../collect-problems.ts";
import type { EntryDocument, EntryInput } from "../entry-document.ts";
import { changedCache, fileHashes, type LoadedFile, loadFile } from "../load-documents.ts";
import { chosenEnvironment, type SourceDocument, withEnvironment } from "../merge-documents.ts";
import { expandUses } from "./expand-uses.ts";
import { loadModules, withMeantFiles } from "./module-files.ts";
import type { Find } from "./module-places.ts";
import { doubtUses, outsideModules } from "./outside-modules.ts";

/** An entry with the declarations of its modules in the environment that is asked for. */
export async function withModules(
  entry: EntryDocument & { readonly sources: readonly SourceDocument[] },
  input: EntryInput & { readonly known: ReadonlyMap<string, string>; readonly loaded: readonly LoadedFile[] },
): Promise<EntryDocument> {
  const { kinds, known, hash } = input;
  const { sources } = entry;
  const environment = chosenEnvironment(input.environment, entry.document);
  const document = withEnvironment(entry.document, environment);
  const workspace = workTreeFiles(input.workspace);
  const modules = await loadModules(document, (file) => loadFile(file, { workspace, hash, known }));
  const named = environment === undefined ? {} : { environment };
  const find: Find = (place) => findExact(place, { sources, kinds, ...named });
  const isOwn = new Set(sources.map(({ file }) => file));
  const list = async () => (await input.workspace.glob(["**/*.yaml", "**/*.yml"])).filter((file) => !isOwn.has(file));
  const files = await withMeantFiles(modules.files, list);
  const { testCases, instances, diagnostics, ...places } = expandUses(document, { files, kinds, find });
  const doubts: Diagnostic[] = [];
  doubtUses(entry.document, ({ place, ...problem }) => doubts.push({ ...problem, ...(place && find(place)) }));
  return {
    ...entry,
    diagnostics: [...entry.diagnostics, ...modules.diagnostics, ...diagnostics, ...outsideModules(sources), ...doubts],
    complete: entry.complete && modules.complete,
    parsed: changedCache([...input.loaded, ...modules.loaded], known),
    modules: {
      ...{ testCases, instances, ...places },
      text: JSON.stringify(testCases),
      hashes: fileHashes(modules.loaded),
    },
  };
}
