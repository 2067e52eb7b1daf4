import { type Mutant, mutantsOf } from "./mutant.ts";

const cache = (test: string): Mutant["by"] => ["config/parse-cache.test.ts", test];
const user = (test: string): Mutant["by"] => ["workspace/user-cache.test.ts", test];
const disk = (test: string): Mutant["by"] => ["workspace/workspace.test.ts", test];
const hostile = (test: string): Mutant["by"] => ["config/hostile-input.test.ts", test];
const plan = (test: string): Mutant["by"] => ["project/saved/saved-plan.test.ts", test];
const left = "is left out where there is no folder that only the user may write to";

/** What a folder that is not trusted may hold. */
export const folderMutants: readonly Mutant[] = [
  ...mutantsOf("isSafe", [
    [
      "a cache in a work tree",
      "workTreeMarks.some((mark) => existsSync(join(folder, mark)))",
      "false",
      user("in a work tree"),
    ],
  ]),
  ...mutantsOf("allCaches", [
    ["a cache that somebody linked", "(isBelow || isSafe(home))", "true", user("link to a folder of ours")],
  ]),
  ...mutantsOf("readSealed", [
    ["a cache that is damaged", "sealOf(folder, name)(content) === bytes", "true || bytes", user("one bit of it")],
  ]),
  ...mutantsOf("workspace/isOurs", [
    ["a cache that others may write to", "(status.mode & 0o022) === 0", "true", cache(left)],
  ]),
  ...mutantsOf("userCache", [["a cache for everybody to read", "`, 0o600)", "`)", cache("for nobody else to read")]]),
  ...mutantsOf("readRegularFile", [
    ["reads what is no file", "status.isFile() ?", "status ?", disk("reads files only")],
  ]),
  ...mutantsOf("sourceText", [
    ["text with some of it replaced", "const text = utf8Text(bytes);", "const text = String(bytes);", disk("no UTF-8")],
  ]),
  ...mutantsOf("shallowTokens", [
    ["any depth", "depth.brackets + depth.columns.length > deepest", "depth.columns.length > deepest", hostile("maps")],
    [
      "blocks of any depth",
      "depth.brackets + depth.columns.length > deepest",
      "depth.brackets > deepest",
      hostile("on one line"),
    ],
  ]),
  ...mutantsOf("convertAlias", [
    ["aliases of any depth", "if (conversion.lowest > deepest) throw new TooDeep(offset);", "", hostile("aliases")],
  ]),
  ...mutantsOf("readable", [
    [
      "any number of problems",
      "if (first === undefined) return all;",
      "if (first || all) return all;",
      hostile("unknown keys"),
    ],
  ]),
  ...mutantsOf("interpolate", [
    [
      "texts of any length",
      "if (result.length > longestText)",
      "if (result.length > 1e9)",
      hostile("variables that double"),
    ],
  ]),
  ...mutantsOf("openPlan", [
    ["missing parts", "if (broken.length > 0)", "if (broken.length > 99)", plan("is refused without its nodes")],
    ["other texts", "if (!packed.every(", "if (!saved && !packed.every(", plan("another one")],
  ]),
  ...mutantsOf("textNode", [
    ["a key that merges", 'text === "<<" ||', "", ["import/awkward-values.test.ts", "in the metadata of a provider"]],
  ]),
  ...mutantsOf("fromCache", [
    [
      "any cached JSON",
      "return isObject(document) ? loadedFile(parsed, document) : undefined;",
      "return loadedFile(parsed, document as JsonObject);",
      cache("damaged"),
    ],
  ]),
];
