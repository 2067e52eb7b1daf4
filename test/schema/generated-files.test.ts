import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { generatedFiles } from "../../scripts/derive/generated-files.ts";
import { kinds } from "../../src/kinds/index.ts";

const root = resolve(import.meta.dirname, "../..");

describe("what is checked in is what the kinds say; `node scripts/generate.js` writes it anew", () => {
  test.each(Object.entries(generatedFiles(kinds)))("%s", (path, text) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  });
});
