import fc from "fast-check";
import { expect, test } from "vitest";
import { loadFile } from "../../src/config/load-documents.ts";
import { rebaseFiles } from "../../src/config/read-files.ts";
import type { Json } from "../../src/model/json.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { parseYaml } from "../../src/yaml/parse-yaml.ts";
import { check } from "../support/deep.ts";
import { codesOf, loadFiles } from "../support/load-files.ts";
import { randomYaml } from "../support/random-yaml.ts";

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

const words = ["${file:", "${file:/", "$", "a.js}", "../", "\\", "\n", '"', "'", ": ", " #", "é", " "];
const text = fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((parts) => parts.join(""));
const { document } = fc.letrec<{ document: Json; value: Json }>((tie) => ({
  document: fc.dictionary(text, tie("value"), { minKeys: 1, maxKeys: 3 }),
  value: fc.oneof({ maxDepth: 3 }, text, fc.array(tie("value"), { maxLength: 3 }), tie("document")),
}));

test("a file's `${file:…}` lead to the same files whether its YAML or its values are rebased, also out of the cache", async () => {
  const folders = fc.constantFrom("load", "a/b", "..", "with space", 'qu"ote', "ü", "#");
  await check(
    "rebased files",
    fc.asyncProperty(randomYaml(document), folders, async (yaml, folder) => {
      const { value = null, diagnostics } = parseYaml(yaml, "f.yaml");
      fc.pre(diagnostics.length === 0);
      const workspace = { readText: async () => yaml };
      const load = (known: ReadonlyMap<string, string>) =>
        loadFile(`${folder}/f.yaml`, { workspace, hash: sha256, known });
      const first = await load(new Map());
      const rebased = rebaseFiles(JSON.stringify(value), folder);
      expect(JSON.parse(first.text)).toEqual(JSON.parse(rebased));
      expect(first.source?.value).toEqual(JSON.parse(rebased));
      const again = await load(new Map(first.parsed ? [first.parsed] : []));
      expect([again.text, again.source?.value, again.digest]).toEqual([first.text, first.source?.value, sha256(yaml)]);
    }),
    { few: 600, deep: 20_000 },
  );
});

test.each(['"\\x24{file:a.js}"', '"${file\\x3aa.js}"', '"${\\\n  file:a.js}"', '"${file:a.js}"'])(
  "also where an escape spells a part of it: %s",
  async (script) => {
    const yaml = `testCases: { a: { scenarios: { s: { script: ${script} } } } }\n`;
    const read = (folder: string) =>
      loadFile(`${folder}/f.yaml`, { workspace: { readText: async () => yaml }, hash: sha256, known: new Map() });
    const [here, there] = [await read("load"), await read("other")];
    expect(JSON.stringify(here.source?.value)).toContain("${file:load/a.js}");
    expect(JSON.stringify(there.source?.value)).toContain("${file:other/a.js}");
    expect(here.parsed?.[0]).not.toBe(there.parsed?.[0]);
  },
);
