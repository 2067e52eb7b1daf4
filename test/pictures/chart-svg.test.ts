import { describe, expect, it } from "vitest";
import { chartFigure } from "../../src/pictures/chart-svg.ts";

const spec = {
  title: "Time <b>",
  unit: "ms",
  seconds: 30,
  at: [5, 15, 25],
  lines: [
    { name: "p50", tone: "middle", values: [1, 2, 3] },
    { name: "p95", tone: "high", values: [4, null, 6], dash: "dashed" },
    { name: "p99", tone: "highest", values: [7, 8, 9], dash: "dotted" },
  ],
} as const;

describe("a chart as a figure of a page", () => {
  const figure = chartFigure(spec, "c1", "h3");

  it("is told in words to who does not see it", () => {
    expect(figure).toContain('role="img" aria-labelledby="c1-t c1-d"');
    expect(figure).toMatch(
      /<desc id="c1-d">p50, in ms: from 1 at the beginning to 3 at the end, between 1 and 3\. p95,/,
    );
  });

  it("tells its lines apart without their colours, in its key too", () => {
    expect(figure).toContain('class="line tone-highest dotted"');
    expect(figure).toContain('<span class="key tone-highest"><i class="dotted"></i><b>p99</b></span>');
    expect(figure.match(/<circle class="dot tone-high"/g)).toHaveLength(2);
  });

  it("escapes its title and heads it as its page asks", () => {
    expect(figure).toContain("<h3>Time &lt;b&gt;</h3>");
    expect(figure).not.toContain("Time <b>");
  });
});
