import type { DeclaredObject } from "../config/declared-object.ts";
import { allIncludes } from "../config/load-documents.ts";
import { type SecretFingerprint, same } from "../model/fingerprint.ts";
import { isObject } from "../model/json.ts";
import type { Tree } from "../model/tree.ts";
import { appliedFields } from "../plan/bind.ts";
import { maskSecrets } from "../plan/secrets.ts";
import type { State } from "../state/state.ts";
import { fileMatcher } from "../workspace/match-files.ts";
import { mainFile } from "../workspace/workspace.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import type { AcceptSources } from "./accept-sources.ts";
import { type AcceptWrites, filesIn, filesNamed } from "./accept-writes.ts";

/** The last applied values, to tell whether a file still has them. */
export interface LastApplied {
  readonly declared: Tree;
  readonly state: Pick<State, "resources">;
  readonly fingerprint: SecretFingerprint;
}

/** The writes of an acceptance, and the deletes of leftovers: files without an object, scripts and data that nothing uses. */
export async function withoutLeftovers(
  writes: AcceptWrites,
  sources: AcceptSources,
  last: LastApplied,
): Promise<AcceptWrites> {
  if (writes.removed.length === 0) return writes;
  const texts = new Map(sources.texts);
  for (const [file, data] of writes.files) if (typeof data === "string" && texts.has(file)) texts.set(file, data);
  const emptied = emptiedFiles(writes, texts);
  for (const file of emptied) texts.delete(file);
  const orphans = await orphanedFiles(writes, sources, texts);
  const edited = editedFiles(writes, sources, last);
  const deleted = [...emptied, ...orphans.filter((path) => !edited.has(path))].sort();
  const remaining = orphans.filter((path) => edited.has(path)).sort();
  const files = new Map([...writes.files].filter(([path]) => !deleted.includes(path)));
  return { ...writes, deleted, remaining, files };
}

/** A file remains where an include would match nothing without it, which is an error. */
function emptiedFiles({ files }: AcceptWrites, texts: ReadonlyMap<string, string>): readonly string[] {
  const { value } = parseYaml(texts.get(mainFile) ?? "", mainFile);
  const lists = isObject(value) ? allIncludes(value) : [];
  const patterns = lists.flatMap((list) => list.patterns.map((pattern) => fileMatcher(String(pattern))));
  const remaining = new Set(texts.keys());
  return [...files.keys()].filter((file) => {
    const text = texts.get(file);
    if (file === mainFile || text === undefined || !declaresNothing(text)) return false;
    const others = [...remaining].filter((each) => each !== file && each !== mainFile);
    if (!patterns.every(({ matches }) => others.some((other) => matches(other)))) return false;
    remaining.delete(file);
    return true;
  });
}

function declaresNothing(text: string): boolean {
  const { value, diagnostics } = parseYaml(text, "");
  if (diagnostics.length > 0 || !isObject(value)) return false;
  return Object.values(value).every((each) => isObject(each) && Object.keys(each).length === 0);
}

/** Files of removed objects that no text of the project names any more, not even a comment or another environment. */
async function orphanedFiles(
  { removed }: AcceptWrites,
  { objects, workspace, hasModules, otherTexts }: AcceptSources,
  texts: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  // A module may name any of them.
  if (hasModules) return [];
  const named = [...texts, ...otherTexts].flatMap(filesNamed);
  // A path with a variable in it may be any file.
  if (named.some((path) => path.includes("${"))) return [];
  const candidates = removed.flatMap(({ address }) => usesOf(objects.get(address)).flatMap(({ files }) => files));
  const found: string[] = [];
  for (const path of new Set(candidates)) if (!named.includes(path) && (await workspace.exists(path))) found.push(path);
  return found;
}

function usesOf(object: DeclaredObject | undefined) {
  if (object === undefined) return [];
  return Object.entries(object.input).flatMap(([field, value]) => {
    const files = field in object.kind.fields ? filesIn(value) : [];
    return files.length > 0 ? [{ field, files }] : [];
  });
}

/** Files of removed objects with something in them that was never applied: it exists nowhere else. */
function editedFiles(
  { removed }: AcceptWrites,
  { objects }: AcceptSources,
  { declared, state, fingerprint }: LastApplied,
): ReadonlySet<string> {
  const edited = removed.flatMap(({ address }) => {
    const object = objects.get(address);
    const node = declared.nodes.get(address);
    if (object === undefined || node === undefined) return [];
    const resource = state.resources[address];
    const { desired, applied } = maskSecrets({
      kind: object.kind,
      desired: node.fields,
      applied: appliedFields(resource),
      live: {},
      sensitive: node.sensitive ?? [],
      secrets: resource?.secrets ?? {},
      fingerprint,
    });
    return usesOf(object).flatMap(({ field, files }) => (same(desired[field], applied[field]) ? [] : files));
  });
  return new Set(edited);
}
