import { utf8Text } from "../model/utf8-text.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A file that `${file:…}` names: its bytes, or why there are none. */
interface FileContent {
  readonly bytes: Uint8Array | undefined;
  readonly failure?: string;
  /** The bytes as text, exactly; undefined when they are no UTF-8. */
  text(): string | undefined;
}

/** Contents by the path as it stands in `${file:…}`, relative to the project folder. */
export type FileContents = ReadonlyMap<string, FileContent>;

const fileReference = /(?<!\$)\$\{file:([^}]*)\}/g;

/** How many files are open at the same time. */
const batch = 64;

/** Reads every file that the documents (as JSON text) refer to. */
export async function readFiles(workspace: Workspace, documents: readonly string[]): Promise<FileContents> {
  const paths = new Set(documents.flatMap((json) => [...json.matchAll(fileReference)].map(([, path]) => plain(path))));
  const contents = new Map<string, FileContent>();
  const waiting = [...paths];
  for (let next = waiting.splice(0, batch); next.length > 0; next = waiting.splice(0, batch)) {
    const read = await Promise.all(next.map((path) => readFile(workspace, path)));
    next.forEach((path, index) => {
      const content = read[index];
      if (content) contents.set(path, content);
    });
  }
  return contents;
}

/** The path as the parsed document holds it: JSON escapes undone. */
function plain(escaped: string | undefined): string {
  const text = escaped ?? "";
  return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
}

async function readFile(workspace: Workspace, path: string): Promise<FileContent> {
  try {
    return fileContent(await workspace.readBytes(path));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { bytes: undefined, failure: said, text: () => undefined };
  }
}

/** A content that decodes itself when text is asked for. A byte order mark is part of the text: nothing is changed. */
function fileContent(bytes: Uint8Array): FileContent {
  return {
    bytes,
    text: () => utf8Text(bytes),
  };
}

/** Makes the `${file:…}` of a file in `folder` relative to the project folder; works on JSON text. */
export function rebaseFiles(json: string, folder: string): string {
  if (folder === "" || !json.includes("${file:")) return json;
  const base = JSON.stringify(folder).slice(1, -1);
  return json.replace(/(?<!\$)\$\{file:(?!\/)/g, () => `\${file:${base}/`);
}
