import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphNode, ObjectGraph } from "../../../src/model/graph/object-graph.ts";
import { graphSvg } from "../../../src/pictures/graph/graph-svg.ts";
import { hostileNames, randomGraph } from "../../support/random-graph.ts";

const picture = { id: "g1", title: "Shop <b>" };
const scenario = (more: Partial<GraphNode>): GraphNode => ({
  address: "testCase.shop/scenario.browse",
  kind: "scenario",
  step: "scenario.browse",
  parent: "testCase.shop",
  isFolder: false,
  ...more,
});
const graphOf = (more: Partial<GraphNode>, whole: Partial<ObjectGraph> = {}): ObjectGraph => ({
  nodes: [
    { address: "testCase.shop", kind: "testCase", step: "testCase.shop", isFolder: true },
    scenario(more),
    { address: "tag.nightly", kind: "tag", step: "tag.nightly", isFolder: false },
  ],
  references: [{ from: "testCase.shop/scenario.browse", to: "tag.nightly" }],
  ...whole,
});

/** Every element of a strict reading of XML: tags that nest, attributes that are quoted, no stray markup, no forbidden character. */
function elementsOf(xml: string): readonly string[] {
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const token =
    /<(\/?)(\w+)((?: [\w:-]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*)(\/?)>|([^<&]|&(?:amp|lt|gt|quot|#39);)+/gy;
  const open: string[] = [];
  const names: string[] = [];
  let end = 0;
  for (let match = token.exec(xml); match; match = token.exec(xml)) {
    end = token.lastIndex;
    const [, closes, name, , isEmpty] = match;
    if (name === undefined) continue;
    if (closes) expect(open.pop()).toBe(name);
    else {
      names.push(name);
      if (!isEmpty) open.push(name);
    }
  }
  expect(open).toEqual([]);
  expect(end).toBe(xml.length);
  return names;
}

describe("a graph as SVG", () => {
  it("is well-formed and without a script, a link or a style attribute, whatever the names are", () => {
    const known = new Set(["svg", "title", "desc", "style", "rect", "path", "text"]);
    fc.assert(
      fc.property(randomGraph, (graph) => {
        const svg = graphSvg(graph, picture).replace(/<style>[^<]*<\/style>/, "<style/>");
        expect(elementsOf(svg).filter((name) => !known.has(name))).toEqual([]);
        expect(svg).not.toMatch(/ (?:style|href|on\w+)="/);
      }),
    );
  });

  it("needs no custom properties, which most of what shows an SVG outside of browsers does not know", () => {
    expect(graphSvg(graphOf({}), picture)).not.toMatch(/var\(|:is\(/);
  });

  it("is told in words to who does not see it", () => {
    const svg = graphSvg(graphOf({ mark: { change: "create", words: "create" } }, { isPlan: true }), picture);
    expect(svg).toContain('role="img" aria-labelledby="g1-t g1-d"');
    expect(svg).toContain('<title id="g1-t">Shop &lt;b&gt;</title>');
    expect(svg).toContain('<desc id="g1-d">testCase 1, scenario 1, tag 1; references: 1. Changes: create 1.</desc>');
  });

  it.each(hostileNames)("shows the name %j cut and escaped, the whole of it in the title of its box", (name) => {
    const svg = graphSvg(graphOf({ name }), picture);
    const whole = /<title>testCase\.shop\/scenario\.browse: ([^<]*)<\/title>/.exec(svg)?.[1] ?? "";
    expect(whole.length).toBeGreaterThanOrEqual(name.length);
    const [, shown = ""] = /<text class="name"[^>]*>([^<]*)<\/text><\/svg>/.exec(svg.slice(svg.indexOf(whole))) ?? [];
    expect(shown.length).toBeLessThan(120);
    expect(svg).not.toContain("<script");
  });

  it("says in words and by shape, not by colour alone, what changes", () => {
    const svg = graphSvg(graphOf({ mark: { change: "delete", words: "delete" } }, { isPlan: true }), picture);
    expect(svg).toMatch(/<svg class="box heading same"[^>]*>(?:(?!class="mark").)*<\/svg>/);
    expect(svg).toMatch(/<svg class="box delete"[^>]*>.*rx="0"\/>.*<text class="mark"[^>]*>delete<\/text>/);
    expect(svg).toContain("stroke-dasharray");
  });
});
