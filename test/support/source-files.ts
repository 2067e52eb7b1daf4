import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** One import, re-export or dynamic import of a source file. */
export interface ImportEdge {
  /** As written: "./plan.ts", "node:fs", "yaml". */
  readonly specifier: string;
  /** Path below src when the specifier is relative. */
  readonly target: string | undefined;
  readonly isTypeOnly: boolean;
}

/** A TypeScript file below src. */
export interface SourceFile {
  /** Path below src: "plan/make-plan.ts". */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ImportEdge[];
}

/** Every TypeScript file below src, or below another folder, with what it imports. */
export function readSources(src = join(repository, "src")): readonly SourceFile[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => sourceFile(path, readFileSync(join(src, path), "utf8")));
}

/** A source file from its text; `path` is below src. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, imports: [...staticImports(path, text), ...dynamicImports(path, text)] };
}

const staticImport = /^(?:import|export)\s+(type\s)?(?:[^;'"`]*?\sfrom\s+)?["']([^"']+)["']/gm;
const dynamicImport = /(typeof\s+)?\bimport\(\s*["']([^"']+)["']\s*\)(\.[A-Z])?/g;

function staticImports(path: string, text: string): readonly ImportEdge[] {
  return [...text.matchAll(staticImport)].map((match) => edge(path, match[2] ?? "", match[1] !== undefined));
}

function dynamicImports(path: string, text: string): readonly ImportEdge[] {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  return [...code.matchAll(dynamicImport)].map((match) =>
    edge(path, match[2] ?? "", match[1] !== undefined || match[3] !== undefined),
  );
}

function edge(path: string, specifier: string, isTypeOnly: boolean): ImportEdge {
  const target = specifier.startsWith(".") ? relative("/src", join("/src", dirname(path), specifier)) : undefined;
  return { specifier, target, isTypeOnly };
}
