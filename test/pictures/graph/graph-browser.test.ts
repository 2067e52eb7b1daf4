// merge: in a real browser
import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { type ObjectGraph, objectGraph } from "../../../src/model/graph/object-graph.ts";
import { graphSvg } from "../../../src/pictures/graph/graph-svg.ts";
import { browserPath, expectGoodInAll, sights, testBrowser } from "../../support/browser.ts";
import { manyObjects } from "../../support/many-objects.ts";
import { hostileNames } from "../../support/random-graph.ts";

const changes = ["create", "update", "replace", "delete", "state"] as const;

/** Every change, and names in all widths. */
function markedGraph(): ObjectGraph {
  const { nodes, references } = objectGraph(manyObjects(6), kinds);
  const marked = nodes.map((node, index) => {
    const change = changes[index % 6];
    const name = hostileNames[index % 24] ?? node.name;
    const mark = change && { change, words: change === "replace" ? "replace (new one first)" : change };
    return { ...node, ...(name !== undefined && { name }), ...(mark && { mark }) };
  });
  return { nodes: marked, references, isPlan: true };
}

/** Texts that a box cuts off, or that come within 4 pixels of another one in it. */
const cutOff = `[...document.querySelectorAll("svg.box")].flatMap((box) => {
  const [kind, mark] = [box.querySelector(".kind"), box.querySelector(".mark")];
  const texts = [...box.querySelectorAll("text")].filter((text) => {
    const { x, width } = text.getBBox();
    return x < 0 || x + width > box.width.baseVal.value;
  });
  const meets = mark && kind.getBBox().x + kind.getBBox().width + 4 > mark.getBBox().x;
  return [...texts, ...(meets ? [mark] : [])].map((text) => text.textContent);
})`;

describe.skipIf(browserPath === undefined)("the picture of a graph in a page", () => {
  const browser = testBrowser();

  it("is good in light and dark, and shows every text whole", async () => {
    const svg = graphSvg(markedGraph(), { id: "graph", title: "What changes" });
    const watched = await browser.blank("about:");
    await watched.page.setContent(
      `<!doctype html><html lang="en"><title>Plan</title><main><h1>Plan</h1><div style="overflow:auto" tabindex="0">${svg}</div></main></html>`,
    );
    expect(await watched.page.evaluate(cutOff)).toEqual([]);
    await expectGoodInAll(watched, sights.slice(0, 2));
  });
});
