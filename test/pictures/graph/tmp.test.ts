import { writeFileSync } from "node:fs";
import { test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { objectGraph } from "../../../src/model/graph.ts";
import { graphSvg } from "../../../src/pictures/graph/graph-svg.ts";
import { graphText } from "../../../src/report/graph/graph-text.ts";
import { startBrowser } from "../../support/browser.ts";
import { manyObjects } from "../../support/many-objects.ts";

test("x", async () => {
  const b = await startBrowser();
  for (const [name, n, marked] of [
    ["one", 1, false],
    ["two", 2, false],
    ["ten", 10, true],
    ["many", 118, false],
  ] as const) {
    let g = objectGraph(manyObjects(n), kinds);
    const changes = ["create", "update", "replace", "delete", "state"] as const;
    if (marked)
      g = {
        ...g,
        isPlan: true,
        nodes: g.nodes.map((x, i) =>
          i % 4
            ? x
            : {
                ...x,
                mark: {
                  change: changes[(i / 4) % 5]!,
                  words: (i / 4) % 5 === 2 ? "replace (new one first)" : changes[(i / 4) % 5]!,
                },
              },
        ),
      };
    const t = performance.now();
    const svg = graphSvg(g, { id: "g", title: "webshop" });
    console.log(name, g.nodes.length, g.references.length, svg.length, performance.now() - t);
    writeFileSync(`/tmp/g-${name}.svg`, svg);
    for (const f of ["mermaid", "dot"] as const) writeFileSync(`/tmp/g-${name}.${f}`, graphText(g, f, "x"));
    const [, w, h] = /width="(\d+)" height="(\d+)"/.exec(svg)!;
    for (const scheme of ["light", "dark"] as const) {
      const p = await b.newPage({
        colorScheme: scheme,
        viewport: { width: Math.min(+w!, 6000), height: Math.min(+h!, 6000) },
      });
      await p.setContent(`<body style="margin:0">${svg}`);
      await p.screenshot({ path: `/tmp/g-${name}-${scheme}.png` });
      console.log(
        w,
        h,
        await p.evaluate(
          `[...document.querySelectorAll('svg.box text')].filter(t=>t.getBBox().x<0||t.getBBox().x+t.getBBox().width>t.closest('svg').width.baseVal.value).map(t=>t.textContent).slice(0,5)`,
        ),
      );
    }
  }
  await b.close();
}, 100000);
