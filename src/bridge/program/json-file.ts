import { type Diagnostic, errorOf, thrownWords } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject, jsonProblemPlace } from "../../model/json.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** One parsed file. */
export interface JsonFile {
  readonly file: string;
  readonly text: string;
  readonly value: JsonObject;
}

/** Reads a file that holds one JSON object. Terraform brings every text to NFC, so that the same program means the same here. */
export async function readJsonFile(workspace: Workspace, file: string): Promise<JsonFile | Diagnostic> {
  let text: string;
  try {
    text = (await workspace.readText(file)).replace(/^\uFEFF/, "").normalize("NFC");
  } catch (error) {
    return { ...errorOf("LF1002", `${file} cannot be read`, thrownWords(error)), file };
  }
  try {
    const value = JSON.parse(text) as Json;
    if (isObject(value)) return { file, text, value };
    const detail = `${file} contains ${Array.isArray(value) ? "a list" : "a single value"}; it must contain an object`;
    return { ...errorOf("LF1102", `${file} does not contain an object`, detail), file, line: 1, column: 1 };
  } catch (error) {
    const detail = `${file} cannot be parsed as JSON: ${thrownWords(error)}`;
    return { ...errorOf("LF1003", `${file} is not JSON`, detail), file, ...jsonProblemPlace(text) };
  }
}

/** The place of the first name that occurs twice in an object, of which `JSON.parse` forgets the first; undefined where there is none. */
export function repeatedName(text: string): { readonly name: string; readonly line: number } | undefined {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: name, index } of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (name !== undefined && name !== '"//"') {
      if (open.at(-1)?.has(name)) return { name: name.slice(1, -1), line: text.slice(0, index).split("\n").length };
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
