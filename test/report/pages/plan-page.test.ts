import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { objectGraph } from "../../../src/model/graph/object-graph.ts";
import { sectionsPage } from "../../../src/report/pages/page-section.ts";
import { planSection } from "../../../src/report/pages/plan-page.ts";
import { hostileNames } from "../../support/random-graph.ts";
import { change, emptyPlan, field, fullPlan } from "../sample-plan.ts";
import { largePage, nodesOf, pageInputOf, planPageOf, problems, scriptHash } from "./sample-page.ts";

const idsOf = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe("the page of a plan", () => {
  it("has every change with every field, its effects and its losses, as HTML that needs no script", () => {
    const page = planPageOf(fullPlan);
    for (const { fields, risks } of fullPlan.changes) {
      for (const each of fields) expect(page).toContain(`<dt>${each.field}`);
      for (const risk of risks) expect(page).toContain(risk);
    }
    expect(page.match(/class="change"/g)).toHaveLength(fullPlan.changes.length + fullPlan.drift.length);
    for (const text of [
      "moved from testCase.shop",
      "(secret changed)",
      "next runs if applied now",
      "tag.nightly",
      "by hand",
    ])
      expect(page).toContain(text);
  });

  it("groups by instance of a module where more than three change, and nests only those of several test cases", () => {
    const made = ["a-x", "a-y", "b-x", "c-x", "d-x", "own"].map((key) =>
      change({ address: `testCase.${key}`, kind: "testCase", action: "create", fields: [] }),
    );
    const instances = new Map(["a-x", "a-y", "b-x", "c-x", "d-x"].map((key) => [key, key.slice(0, 1)]));
    const page = planPageOf({ ...emptyPlan, changes: made }, { instances });
    const heads = [...page.matchAll(/<details class="group" open><summary><span>(.*?)<\/span><span class="counts">/g)];
    expect(heads.map(([, head]) => head?.replace(/<[^>]+>/g, ""))).toEqual([
      ...["testCase.own", "Instance a", "testCase.a-x", "testCase.a-y"],
      ...["testCase.b-x instance b", "testCase.c-x instance c", "testCase.d-x instance d"],
    ]);
    instances.delete("d-x");
    expect(planPageOf({ ...emptyPlan, changes: made }, { instances })).not.toContain("nstance <b>");
  });

  it("shows scripts beside each other with the part that differs", () => {
    const page = planPageOf(fullPlan);
    expect(page).toContain('<td class="d">2<td class="d">const b = <mark>2</mark>;');
    expect(page).toContain('<td class="a">2<td class="a">const b = <mark>3</mark>;');
  });

  it("shows so many rows of a long text, and says how many there are beyond", () => {
    const [before, after] = ["old", "new"].map((word) =>
      Array.from({ length: 900 }, (_, line) => `${word} ${line}\n`).join(""),
    );
    const long = change({
      address: "testCase.a/scenario.s",
      kind: "scenario",
      action: "update",
      fields: [field("script", { before: { $content: "x", bytes: 1 }, after: { $content: "y", bytes: 1 } })],
    });
    const page = planPageOf({ ...emptyPlan, changes: [long] }, { contents: (hash) => (hash === "x" ? before : after) });
    expect(page.match(/<tr><td/g)).toHaveLength(399);
    expect(page).toContain("… and 501 more rows of this comparison");
  });

  it("has problems first: errors and guards before warnings, with the verdict that nothing can be applied and no command", () => {
    const page = planPageOf(fullPlan, { problems, blocked: 1, lineOf: () => "  users: 5" });
    expect(page).toContain("<strong>Blocked by 1 guard: none of this plan can be applied</strong>");
    expect(page.indexOf("testCase.old is protected")).toBeLessThan(page.indexOf("a doubt"));
    expect(page.indexOf("a doubt")).toBeLessThan(page.indexOf('id="project-1-changes"'));
    expect(page).toContain("    3 |   users: 5\n");
    expect(page).not.toContain("To apply exactly this plan");
    expect(planPageOf(fullPlan)).toContain("loadform apply --digest -.0123");
  });

  it("says that there is no plan, or that there is nothing to do", () => {
    const section = planSection({
      ...pageInputOf(emptyPlan, { problems: problems.slice(1) }),
      plan: undefined as never,
    });
    const page = sectionsPage([section], { title: "Plan", hash: scriptHash });
    expect(page).toContain("No plan could be made: 1 error");
    expect(page).not.toContain("<nav");
    expect(planPageOf({ ...emptyPlan, summary: { ...emptyPlan.summary, noop: 12 } })).toContain(
      '<div class="verdict passed"><strong>No changes: 12 objects are as declared.</strong>',
    );
  });

  it("draws the graph with what changes marked", () => {
    const nodes = nodesOf({ "testCase.checkout": {}, "testCase.checkout/scenario.browse": {}, "testCase.other": {} });
    const page = planPageOf(fullPlan, { graph: objectGraph({ nodes }, kinds) });
    expect(page).toContain("testCase.checkout/scenario.browse (update)");
    expect(page).toContain('<svg class="box heading same"');
  });

  it("has links that lead somewhere, and no id twice, with several projects on one page", () => {
    const graph = objectGraph({ nodes: nodesOf({ "testCase.checkout": {} }) }, kinds);
    const sections = [1, 2].map((number) => planSection(pageInputOf(fullPlan, { number, graph })));
    const page = sectionsPage(sections, { title: "Plan for 2 projects", overview: "<p>Two</p>", hash: scriptHash });
    const ids = idsOf(page);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  it("loads nothing, and allows no script but its own", () => {
    const page = planPageOf(fullPlan);
    expect([...page.matchAll(/(?:href|src)="([^"#][^"]*)"/g)].map(([, url]) => url)).toEqual(["data:,"]);
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
    expect(page).toContain(`script-src 'sha256-${scriptHash(script)}'; style-src 'unsafe-inline'`);
    expect(page).not.toMatch(/@import|url\(/);
  });

  it.each(hostileNames)("holds every text of others as text: %j", (name) => {
    const hostile = change({
      address: "testCase.a",
      kind: "testCase",
      action: "update",
      name,
      reason: name,
      risks: [name],
      fields: [
        field("description", { before: name, after: `${name}\n${name}` }),
        field("scriptParams", { before: { [name]: name }, after: { [name]: `${name}!` } }),
      ],
    });
    const page = planPageOf(
      { ...emptyPlan, project: name, changes: [hostile], unmanaged: [{ kind: "testCase", id: 1, name }] },
      { problems: [{ severity: "error", code: "LF3001", summary: name, detail: name, address: name }], applying: name },
    );
    const body = page.slice(page.indexOf("<body>"), page.indexOf("<script>"));
    expect(body).not.toMatch(/<script|<\/svg>|\p{Bidi_Control}/u);
    expect(body).not.toContain("\0");
  });

  it("of 1,000 changes has at most 2 MB", () => {
    const page = largePage();
    expect(page.match(/class="change"/g)).toHaveLength(1_000);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(2_000_000);
  });
});
