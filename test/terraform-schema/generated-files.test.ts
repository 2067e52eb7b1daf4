import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { terraformPages } from "../../src/terraform-schema/pages.ts";
import { providersSchemaFile } from "../../src/terraform-schema/providers-schema.ts";
import { repository } from "../support/source-files.ts";

const files = { ...terraformPages(kinds), ...providersSchemaFile(kinds) };

describe("what is checked in for Terraform is what the kinds say; `node scripts/generate.js` writes it anew", () => {
  test.each(Object.entries(files))("%s", (path, text) => {
    expect(readFileSync(join(repository, path), "utf8")).toBe(text);
  });
});
