import { keyPattern } from "../../model/address.ts";
import type { DocumentPath } from "../../model/diagnostic.ts";
import type { ExpandProblem } from "../expand.ts";
import type { Use } from "./read-uses.ts";
import { moduleExpression } from "./substitute.ts";

/** A use that cannot be expanded, and where that is said. */
interface RefusedUse {
  readonly use: Use;
  readonly problem: ExpandProblem;
  readonly path: DocumentPath;
  readonly at: "key" | "value";
}

/** The uses of one document that cannot be expanded; `modules` are those that led to the document. */
export function refusedUses(uses: readonly Use[], modules: readonly string[]): readonly RefusedUse[] {
  const seen = new Map<string, Use>();
  return uses.flatMap((use): RefusedUse[] => {
    const first = seen.get(use.instance);
    if (first === undefined) seen.set(use.instance, use);
    const atKey = first === undefined ? keyProblem(use.instance) : sameInstance(use.instance, first);
    if (atKey) return [{ use, problem: atKey, path: use.at, at: "key" }];
    const atModule = moduleProblem(use.module, modules);
    return atModule ? [{ use, problem: atModule, path: [...use.path, "module"], at: "value" }] : [];
  });
}

/** The refusal of a key that cannot be a part of an address; undefined for any other. */
export function keyProblem(key: string): ExpandProblem | undefined {
  if (keyPattern.test(key)) return undefined;
  const detail = `A key consists of letters, digits, ".", "_" and "-", and begins with a letter or digit. Give the parameter that it is made of another value`;
  return { severity: "error", code: "LF1105", summary: `${key} is not usable as a key`, detail };
}

function sameInstance(instance: string, { path }: Use): ExpandProblem {
  const detail = `${path.join(".")} has an instance ${instance}, too. Instances are unique, since the keys of their test cases begin with them: rename one`;
  return { severity: "error", code: "LF1005", summary: `instance ${instance} is declared twice`, detail };
}

function moduleProblem(module: string, modules: readonly string[]): ExpandProblem | undefined {
  if (modules.includes(module)) {
    const circle = [...modules.slice(modules.indexOf(module)), module].join(" uses ");
    const detail = `${circle}. A module cannot contain itself: remove one of these uses`;
    return { severity: "error", code: "LF1310", summary: `module ${module} uses itself`, detail };
  }
  if (module.search(moduleExpression) < 0 && !/\$\{/.test(module)) return undefined;
  const detail = `The path is ${module}. Modules are read before anything is replaced: write the path out`;
  return { severity: "error", code: "LF1310", summary: "the path of a module is not fixed", detail };
}
