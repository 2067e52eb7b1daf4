// slow: asks Terraform what it reads
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HclValue, writeHcl } from "../../../src/bridge/hcl/text.ts";
import type { Json } from "../../../src/model/json.ts";
import { freshFolder } from "../../support/run-cli.ts";
import { hasTerraform, terraformEnv } from "../../support/terraform/real-terraform.ts";

function hclOf(json: Json): HclValue {
  if (Array.isArray(json)) return { is: "list", items: json.map((item: Json) => hclOf(item)) };
  if (typeof json !== "object" || json === null) return { is: "plain", value: json };
  return { is: "object", members: Object.entries(json).map(([name, member]) => ({ name, value: hclOf(member) })) };
}

function composed(json: Json): Json {
  return JSON.parse(JSON.stringify(json).normalize("NFC")) as Json;
}

function terraform(folder: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync("terraform", args, {
    cwd: folder,
    env: terraformEnv(),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

const output = (name: string, json: Json) => ({
  head: `output "${name}"`,
  body: [{ name: "value", value: hclOf(json) }],
});

describe("a value in HCL", () => {
  test("is on one line where it is short, and its signs are aligned", () => {
    const body = [
      { name: "a", value: hclOf(1) },
      { name: "long_name", value: hclOf({ x: "y", "a b": [true] }) },
      { name: "list", value: hclOf(["x".repeat(50), "y".repeat(50)]) },
      { name: "b", value: hclOf("${x}"), note: "a note" },
    ];
    expect(
      writeHcl([
        { head: "block", notes: ["of it"], body },
        { head: "empty", body: [] },
      ]),
    ).toBe(`# of it
block {
  a         = 1
  long_name = { x = "y", "a b" = [true] }
  list = [
    "${"x".repeat(50)}",
    "${"y".repeat(50)}",
  ]
  # a note
  b = "$\${x}"
}

empty {}
`);
  });

  test.skipIf(!hasTerraform)("is read by Terraform as it was, and written as terraform fmt writes it", () => {
    const text = fc.string({
      unit: fc.constantFrom(
        "$",
        "%",
        "{",
        "}",
        '"',
        "\\",
        "\n",
        "\r",
        "\t",
        "a",
        "é",
        "e\u0301",
        "\u2028",
        "\uFEFF",
        "🛒",
        "~",
        "#",
        "${",
        "EOT\n",
      ),
      maxLength: 20,
    });
    const key = fc.oneof(
      text.filter((each) => each !== ""),
      fc.constantFrom("for", "null", "true", "if", "__proto", "a-b"),
    );
    const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(0.1));
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    const samples = fc.sample(value, 300).filter((each) => sameKeys(each));
    const folder = freshFolder();
    writeFileSync(join(folder, "main.tf"), writeHcl(samples.map((each, index) => output(`o${index}`, each))));
    terraform(folder, "fmt", "-check", "-diff");
    terraform(folder, "apply", "-auto-approve", "-no-color");
    const read = JSON.parse(terraform(folder, "output", "-json")) as Record<string, { value: Json }>;
    for (const [index, sample] of samples.entries()) expect(read[`o${index}`]?.value).toEqual(composed(sample));
  });
});

/** Two keys may be one when their letters are composed. */
function sameKeys(json: Json): boolean {
  if (Array.isArray(json)) return json.every((item: Json) => sameKeys(item));
  if (typeof json !== "object" || json === null) return true;
  const keys = Object.keys(json);
  return new Set(keys.map((key) => key.normalize("NFC"))).size === keys.length && Object.values(json).every(sameKeys);
}
