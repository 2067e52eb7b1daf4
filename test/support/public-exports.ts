import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportedNames } from "./exported-names.ts";
import { repository } from "./source-files.ts";

/** One name that users can import, with what its declaration says. */
export interface PublicExport {
  readonly name: string;
  readonly isType: boolean;
  /** Path of the file that declares it. */
  readonly file: string;
  /** The text of its docstring on one line; empty without one. */
  readonly text: string;
  /** Members of an interface without a docstring. */
  readonly bare: readonly string[];
}

/** The exports of an entry point, in the order of their names. */
export function publicExports(source: string): readonly PublicExport[] {
  return exportedNames(read(source)).map((each) => {
    const name = each.replace(/^type /, "");
    const { file, at, text } = declarationOf(source, name);
    const doc = docBefore(text.slice(0, at));
    return { name, isType: each !== name, file, text: doc, bare: bareMembers(text.slice(at)) };
  });
}

function read(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}

/** Follows lists of exports to the file that declares a name. */
function declarationOf(
  file: string,
  name: string,
): { readonly file: string; readonly text: string; readonly at: number } {
  const text = read(file);
  const words = "(?:declare |async |abstract )*(?:function\\*?|const|class|interface|type)";
  const at = text.search(new RegExp(`^export ${words} ${name}\\b`, "m"));
  if (at >= 0) return { file, text, at };
  const list = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm)].find(([, names = ""]) =>
    names.split(",").some((each) => each.trim().replace(/^type /, "") === name),
  );
  if (list === undefined) throw new Error(`${file} neither declares nor lists ${name}`);
  const target = join(dirname(file), list[2] ?? "");
  // What is built has its declarations beside it.
  return declarationOf(target.replace(/\.js$/, ".d.ts"), name);
}

/** The docstring that ends where a declaration begins. */
export function docBefore(text: string): string {
  const [, doc = ""] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(text) ?? [];
  return doc
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** Members at the top of the interface with which a text begins, those without a docstring. */
export function bareMembers(text: string): readonly string[] {
  const [, body = ""] = /^export interface [^{]*\{\n([\s\S]*?)^\}/m.exec(text) ?? [];
  if (!text.startsWith("export interface")) return [];
  const lines = body.split("\n");
  return lines.flatMap((line, index) => {
    const [, name] = /^ {2}(?:readonly )?(\w+)[?]?[:(<]/.exec(line) ?? [];
    const isTold = /\*\/\s*$/.test(lines[index - 1] ?? "");
    return name === undefined || isTold ? [] : [name];
  });
}
