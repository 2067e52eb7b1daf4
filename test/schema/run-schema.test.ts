import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseSync } from "rolldown/utils";
import { describe, expect, it } from "vitest";
import type { JudgedRun, RunDocument } from "../../src/run/run-document.ts";
import { everyRun, hostileRun, lastRuns } from "../report/runs/sample-runs.ts";
import { repository } from "../support/source-files.ts";

interface SchemaNode {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, SchemaNode>>;
  readonly $defs: Readonly<Record<string, SchemaNode>>;
}

const schema = JSON.parse(readFileSync(join(repository, "schemas/run.schema.json"), "utf8")) as SchemaNode;
const validate = new Ajv2020({ strict: true }).compile(schema);

/** The document as a reader gets it: written and read. */
function documentOf(runs: readonly JudgedRun[]): RunDocument {
  const summary = { passed: 0, failed: 0, stopped: 0, error: 0, unknown: 0 };
  for (const { verdict } of runs) summary[verdict] += 1;
  return JSON.parse(JSON.stringify({ warnings: ["w"], runs, summary })) as RunDocument;
}

describe("the schema of run --json", () => {
  it.each([
    ["every verdict", everyRun],
    ["several runs of one gate", lastRuns(5)],
    ["hostile texts", [hostileRun]],
    ["no run", []],
  ])("takes the document of %s", (_, details) => {
    validate(documentOf(details.map(({ run }) => run)));
    expect(validate.errors).toBeNull();
  });

  const [first] = everyRun;
  it.each([
    ["a member that nobody declared", { ...first?.run, more: 1 }],
    ["a verdict that there is not", { ...first?.run, verdict: "ok" }],
    ["a figure as text", { ...first?.run, summary: { ...first?.run.summary, requests: "1" } }],
    ["a stale that is false", { ...first?.run, stale: false }],
    ["a run without its summary", { ...first?.run, summary: undefined }],
  ])("refuses %s", (_, run) => {
    expect(validate(JSON.parse(JSON.stringify({ ...documentOf([]), runs: [run] })))).toBe(false);
  });

  it.each(declaredTypes())("has every member of $name, those that may be absent as such", ({ name, members }) => {
    const node = name === "RunDocument" ? schema : schema.$defs[name];
    // Every document of a command has its problems in it.
    const own = Object.keys(node?.properties ?? {}).filter((member) => member !== "diagnostics");
    expect(own).toEqual(members.map((member) => member.name));
    expect(node?.required).toEqual(members.filter(({ optional }) => !optional).map((member) => member.name));
  });
});

/** The interfaces of the document, as src/run/run-document.ts declares them. */
function declaredTypes() {
  const path = join(repository, "src/run/run-document.ts");
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  const names = ["KpiVerdict", "NoWorseVerdict", "RunSummary", "JudgedRun", "RunDocument"];
  const found = program.body.flatMap((statement) => {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
    if (declared?.type !== "TSInterfaceDeclaration" || !names.includes(declared.id.name)) return [];
    const members = declared.body.body.flatMap((member) =>
      member.type === "TSPropertySignature" && member.key.type === "Identifier"
        ? [{ name: member.key.name, optional: member.optional }]
        : [],
    );
    return [{ name: declared.id.name, members }];
  });
  expect(found.map(({ name }) => name)).toEqual(names);
  return found;
}
