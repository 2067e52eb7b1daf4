import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { providersSchemaFile } from "../../scripts/derive/providers-schema.ts";
import { terraformPages } from "../../scripts/derive/terraform-pages.ts";
import { kinds } from "../../src/kinds/index.ts";
import { repository } from "../support/source-files.ts";

const files = { ...terraformPages(kinds), ...providersSchemaFile(kinds) };

describe("what is checked in for Terraform is what the kinds say; `node scripts/generate.js` writes it anew", () => {
  test.each(Object.entries(files))("%s", (path, text) => {
    expect(readFileSync(join(repository, path), "utf8")).toBe(text);
  });
});
