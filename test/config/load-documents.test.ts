import { expect, test } from "vitest";
import { sha256 } from "../../src/workspace/hash.ts";
import { codesOf, loadFiles } from "../support/load-files.ts";

const main = 'project: shop\nservice: { url: "memory:" }\ninclude: ["parts/*.yaml"]\n';
/** The size of the main file counts as that of its JSON. */
const mainLength = JSON.stringify({ project: "shop", service: { url: "memory:" }, include: ["parts/*.yaml"] }).length;
const part = "testCases: { ordering: { name: Ordering } }\n";

test("room is made once, for all files together, before any that the main file includes is parsed", async () => {
  const steps: (number | string)[] = [];
  const project = await loadFiles(main, {
    files: { "parts/a.yaml": part, "parts/b.yaml": "{" },
    makeRoom: (characters) => void steps.push(characters),
    hash(text) {
      steps.push(text.toString());
      return sha256(text);
    },
  });
  expect(steps.slice(0, 4)).toEqual([main, mainLength + part.length + 1, part, "{"]);
  expect(steps.filter((step) => typeof step === "number")).toHaveLength(1);
  expect(codesOf(project)).toEqual(["LF1003"]);
});
