import { describe, expect, it } from "vitest";
import type { GraphNode, ObjectGraph } from "../../../src/model/graph/object-graph.ts";
import type { Change } from "../../../src/plan/plan.ts";
import { planGraphPart } from "../../../src/report/graph/plan-graph.ts";
import { change } from "../sample-plan.ts";

const tag = (key: string): GraphNode => ({
  address: `tag.${key}`,
  kind: "tag",
  step: `tag.${key}`,
  isFolder: false,
});
const tags = (count: number): ObjectGraph => ({
  nodes: Array.from({ length: count }, (_, index) => tag(`t${index}`)),
  references: Array.from({ length: count - 1 }, (_, index) => ({ from: "tag.t0", to: `tag.t${index + 1}` })),
});
const changeOf = (action: Change["action"], more: Partial<Change> = {}) =>
  change({ address: "tag.t0", kind: "tag", action, ...more });

describe("the picture in the comment on a plan", () => {
  it("is a folded flowchart of what changes and of what is beside it", () => {
    const graph = { ...tags(3), nodes: [...tags(3).nodes, tag("elsewhere")] };
    const [part] = planGraphPart(graph, [changeOf("update")]);
    expect(part?.text).toMatch(/^<details>\n<summary>.+<\/summary>\n\n```mermaid\nflowchart LR\n/);
    expect(part?.text).toContain('n0{{"tag.t0<br/>update"}}:::update');
    expect(part?.text).toContain('n1["tag.t1"]:::same');
    expect(part?.text).not.toContain("elsewhere");
    expect(part?.optional).toBeDefined();
  });

  it.each([
    [30, 1],
    [31, 0],
  ])("of %i objects is there %i times", (count, times) => {
    expect(planGraphPart(tags(count), [changeOf("update")])).toHaveLength(times);
  });

  it("is not there without changes", () => {
    expect(planGraphPart(tags(3), [])).toEqual([]);
    expect(planGraphPart(tags(3), [changeOf("no-op")])).toEqual([]);
  });

  it.each([
    [changeOf("create"), '(["tag.t0<br/>create"]):::create'],
    [changeOf("replace"), '[["tag.t0<br/>replace"]]:::replace'],
    [changeOf("delete"), '[/"tag.t0<br/>delete"\\]:::delete'],
    [changeOf("forget"), '("tag.t0<br/>forget"):::state'],
    [changeOf("no-op", { importing: true }), '("tag.t0<br/>import"):::state'],
    [changeOf("update", { previousAddress: "tag.old" }), '{{"tag.t0<br/>move, update"}}:::update'],
  ])("tells by its shape and in words: %j", (each, box) => {
    expect(planGraphPart(tags(1), [each])[0]?.text).toContain(`n0${box}`);
  });
});
