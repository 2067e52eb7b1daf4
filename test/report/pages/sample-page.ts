import { createHash } from "node:crypto";
import { kinds } from "../../../src/kinds/index.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { objectGraph } from "../../../src/model/graph/object-graph.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { TreeNode } from "../../../src/model/tree.ts";
import type { Change, Plan } from "../../../src/plan/plan.ts";
import { forecastOf } from "../../../src/report/pages/forecast.ts";
import { sectionsPage } from "../../../src/report/pages/page-section.ts";
import { type PlanPageInput, planSection } from "../../../src/report/pages/plan-page.ts";
import { manyObjects } from "../../support/many-objects.ts";
import { change, emptyPlan, field, sampleTexts } from "../sample-plan.ts";

/** Tuesday noon. */
export const noon = Date.parse("2026-11-24T12:00:00Z");

export const scriptHash = (text: string) => createHash("sha256").update(text).digest("base64");

/** The input of a section about a plan, with nothing around it. */
export function pageInputOf(plan: Plan, more: Partial<PlanPageInput> = {}): PlanPageInput {
  return {
    number: 1,
    name: plan.project,
    plan,
    problems: [],
    blocked: 0,
    contents: (hash) => sampleTexts[hash],
    lineOf: () => undefined,
    createdAt: new Date(noon).toISOString(),
    choices: [],
    applying: "loadform apply --digest -.0123",
    ...more,
  };
}

export function planPageOf(plan: Plan, more: Partial<PlanPageInput> = {}): string {
  const section = planSection(pageInputOf(plan, more));
  return sectionsPage([section], { title: `Plan for ${section.name}`, hash: scriptHash });
}

/** Objects by their address, a parent before its children. */
export function nodesOf(
  objects: Readonly<Record<string, JsonObject>>,
  sensitive: Readonly<Record<string, readonly string[]>> = {},
): ReadonlyMap<string, TreeNode> {
  return new Map(
    Object.entries(objects).map(([handle, fields]) => {
      const step = handle.slice(handle.lastIndexOf("/") + 1);
      const [kind = "", key = ""] = step.split(".");
      const parent = handle.includes("/") ? { parent: handle.slice(0, handle.lastIndexOf("/")) } : {};
      return [
        handle,
        { handle, kind, key, fields, ...parent, ...(sensitive[handle] && { sensitive: sensitive[handle] }) },
      ];
    }),
  );
}

export const problems: readonly Diagnostic[] = [
  {
    severity: "warning",
    code: "LF3013",
    summary: "a doubt",
    detail: "Look at it.",
    file: "loadform.yaml",
    line: 3,
    column: 5,
  },
  {
    severity: "error",
    code: "LF4001",
    summary: "testCase.old is protected",
    detail: "Remove protect first.",
    address: "testCase.old",
  },
];

const script = (word: string) =>
  Array.from({ length: 60 }, (_, line) => `step(${line}, "${line % 7 === 0 ? word : "same"}");\n`).join("");

/** A plan of 1,000 changes as a large team has them: new objects, load, scripts, times. */
export function largePage(): string {
  const { nodes: all } = manyObjects(118);
  const nodes = new Map([...all].map(([address, node], index) => [address, withFields(node, index)]));
  const changes = [...nodes.values()].slice(0, 1_000).map(changeOf);
  const input = { nodes, gates: [], now: noon, createdAt: () => "2026-11-01T00:00:00.000Z" };
  const summary = { ...emptyPlan.summary, create: 334, update: 666 };
  return planPageOf(
    { ...emptyPlan, changes, summary },
    {
      contents: (hash) => (hash.startsWith("a") ? script("old") : script("new")),
      graph: objectGraph({ nodes }, kinds),
      forecast: forecastOf(input, changes),
    },
  );
}

function withFields(node: TreeNode, index: number): TreeNode {
  const { fields, kind } = node;
  if (kind === "configuration") {
    const providers = [{ provider: { id: 0 }, regions: [`cloud-${index % 7}`] }];
    return { ...node, fields: { ...fields, providers, concurrentClients: 10 + (index % 50), durationSecs: 600 } };
  }
  if (kind !== "schedule") return node;
  return {
    ...node,
    fields: { scheduleType: "Recurring", recurringInterval: "Day", hour: index % 24, minute: index % 60 },
  };
}

function changeOf(node: TreeNode, index: number): Change {
  const { handle: address, kind, fields } = node;
  const base = { address, kind, name: String(fields.name ?? node.key), id: index };
  if (index % 3 === 0)
    return change({
      ...base,
      action: "create",
      after: fields,
      fields: Object.entries(fields).map(([name, after]) => field(name, { after })),
    });
  const texts =
    kind === "scenario"
      ? [
          field("script", {
            before: { $content: `a${index}`, bytes: 900 },
            after: { $content: `b${index}`, bytes: 900 },
          }),
        ]
      : [];
  const before = { ...fields, description: "Before" };
  return change({
    ...base,
    action: "update",
    before,
    after: fields,
    fields: [field("description", { before: "Before", after: "After" }), ...texts],
  });
}
