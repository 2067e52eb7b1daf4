import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectEvidence, coveragePage } from "./support/coverage-page.ts";
import { collectDecisionIds, collectDecisions, decisionsPage } from "./support/decisions-page.ts";

const docs = join(import.meta.dirname, "../../docs");
const source = join(import.meta.dirname, "../../src/service");
const page = join(docs, "service-decisions.md");

describe("the page of decisions", () => {
  it("is what the code says", () => {
    if (process.env["UPDATE_DOCS"]) writeFileSync(page, decisionsPage());
    expect(readFileSync(page, "utf8")).toBe(decisionsPage());
  });

  it("misses no decision that the code marks", () => {
    const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(source, file), "utf8"));
    const marked = texts.join("\n").match(/DECISION\b/g)?.length ?? 0;
    expect(collectDecisions()).toHaveLength(marked);
    expect(marked).toBeGreaterThan(35);
  });

  it("has an id for each that no other has, and that does not change unnoticed", () => {
    const ids = collectDecisionIds();
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.join("\n")).toMatchSnapshot();
  });

  it("names where the documents are silent, or our page, for each", () => {
    for (const { cited, text } of collectDecisions()) {
      expect(cited).toMatch(/^API [12], /);
      expect(text.length).toBeGreaterThan(20);
    }
  });
});

describe("the page of who drives what", () => {
  const coverage = join(docs, "service-coverage.md");

  it("is what the engine and the contract tests call, every route by at least one", async () => {
    const evidence = await collectEvidence();
    if (process.env["UPDATE_DOCS"]) writeFileSync(coverage, coveragePage(evidence));
    expect(readFileSync(coverage, "utf8")).toBe(coveragePage(evidence));
    const driven = evidence.filter(({ engine, tests }) => engine || tests.length > 0);
    expect(evidence.filter((each) => !driven.includes(each)).map(({ key }) => key)).toEqual([]);
    expect(evidence.filter(({ engine }) => engine).length).toBeGreaterThan(30);
  });
});
