import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutant.ts";

const cache = (test: string): Mutant["by"] => ["config/parse-cache.test.ts", test];
const disk = (test: string): Mutant["by"] => ["workspace/workspace.test.ts", test];
const hostile = (test: string): Mutant["by"] => ["config/hostile-input.test.ts", test];
const plan = (test: string): Mutant["by"] => ["project/saved-plan.test.ts", test];
const left = "is left out where there is no folder that only the user may write to";

/** What a folder that is not trusted may hold. */
export const folderMutants: readonly Mutant[] = [
  ...mutantsOf("workspace/user-cache.ts", [
    ["a cache in the project", "return isInside ||", "return", cache("is never taken from the project")],
    ["a cache that others may write to", "(status.mode & 0o022) === 0", "true", cache(left)],
    ["a cache for everybody to read", "text, 0o600)", "text)", cache("for nobody else to read")],
  ]),
  ...mutantsOf("workspace/read-file.ts", [
    ["reads what is no file", "status.isFile() ?", "status ?", disk("reads files only")],
  ]),
  ...mutantsOf("workspace/source-text.ts", [
    ["text with some of it replaced", "const text = utf8Text(bytes);", "const text = String(bytes);", disk("no UTF-8")],
  ]),
  ...mutantsOf("config/shallow-tokens.ts", [
    ["any depth", "depth.brackets + depth.columns.length > deepest", "depth.columns.length > deepest", hostile("maps")],
    [
      "blocks of any depth",
      "depth.brackets + depth.columns.length > deepest",
      "depth.brackets > deepest",
      hostile("on one line"),
    ],
  ]),
  ...mutantsOf("config/parse-yaml.ts", [
    ["aliases of any depth", "if (conversion.lowest > deepest) throw new TooDeep(offset);", "", hostile("aliases")],
  ]),
  ...mutantsOf("config/load-project.ts", [
    [
      "any number of problems",
      "if (first === undefined) return all;",
      "if (first || all) return all;",
      hostile("unknown keys"),
    ],
  ]),
  ...mutantsOf("config/expand.ts", [
    [
      "texts of any length",
      "if (result.length > longestText)",
      "if (result.length > 1e9)",
      hostile("variables that double"),
    ],
  ]),
  ...mutantsOf("project/saved-plan.ts", [
    ["missing parts", "if (broken.length > 0)", "if (broken.length > 99)", plan("is refused without its nodes")],
    [
      "other texts",
      "if (Object.keys(saved.contents).some((hash) => !isWhole(saved, hash)))",
      "if (!saved)",
      plan("another one"),
    ],
  ]),
  ...mutantsOf("config/write-yaml-value.ts", [
    ["a key that merges", "isMerge ||", "", ["import/awkward-values.test.ts", "in the metadata of a provider"]],
  ]),
  ...mutantsOf("config/load-documents.ts", [
    ["any cached JSON", "return isObject(value) ? value : undefined;", "return value as JsonObject;", cache("damaged")],
  ]),
];
