import { describe, expect, it } from "vitest";
import { drawChart } from "../../src/pictures/chart.ts";
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatFigure,
  formatMoment,
  formatMs,
  formatPercent,
} from "../../src/pictures/figures.ts";

const size = { width: 400, height: 200, text: 10 };
const line = (values: readonly (number | null)[]) => ({ name: "Line", tone: "users", values }) as const;
const chart = (values: readonly (number | null)[], filled: { filled?: true } = {}) =>
  drawChart(
    {
      title: "T",
      unit: "u",
      seconds: values.length * 10,
      at: values.map((_, index) => index * 10 + 5),
      lines: [{ ...line(values), ...filled }],
    },
    size,
  );

describe("a chart", () => {
  it("keeps every point inside its frame", () => {
    for (const values of [[0], [0, 0], [1, 7, 3], [0.001, 0.002], [1e9, 2e9], [null, 4, null]]) {
      const { strokes, labels } = chart(values);
      for (const [x, y] of strokes.flatMap(({ points }) => points)) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(size.width);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(size.height);
      }
      for (const { at } of labels) expect(at.every(Number.isFinite)).toBe(true);
    }
  });

  it("breaks its line where nothing was measured", () => {
    expect(chart([1, 2, null, 3]).strokes.map(({ points }) => points.length)).toEqual([2, 1]);
  });

  it("fills down to its axis", () => {
    const { areas, axis } = chart([1, 2, 3], { filled: true });
    expect(areas[0]?.points[0]?.[1]).toBe(axis[0][1]);
    expect(areas[0]?.points.at(-1)?.[1]).toBe(axis[1][1]);
  });

  it("has round values from 0 to beyond the greatest", () => {
    const values = (greatest: number) =>
      chart([greatest])
        .labels.filter(({ align }) => align === "end")
        .map(({ text }) => text)
        .filter((text) => !text.startsWith("time"));
    expect(values(0)).toEqual(["0", "1"]);
    expect(values(7)).toEqual(["0", "2", "4", "6", "8"]);
    expect(values(100)).toEqual(["0", "25", "50", "75", "100"]);
    expect(values(0.07)).toEqual(["0", "0.02", "0.04", "0.06", "0.08"]);
  });

  it("has at most seven moments on its axis", () => {
    const moments = (seconds: number) =>
      drawChart({ title: "T", unit: "u", seconds, at: [], lines: [] }, size)
        .labels.filter(({ align }) => align === "middle")
        .map(({ text }) => text);
    for (const seconds of [0, 4, 61, 3599, 86_400, 40 * 86_400]) expect(moments(seconds).length).toBeLessThanOrEqual(7);
    expect(moments(180)).toEqual(["0:00", "0:30", "1:00", "1:30", "2:00", "2:30", "3:00"]);
  });
});

describe("figures", () => {
  it("read as one says them", () => {
    expect([0, 12, 1234.4, 1_234_567].map(formatCount)).toEqual(["0", "12", "1,234", "1,234,567"]);
    expect([0.12345, 1.239, 56.78, 164.2].map(formatFigure)).toEqual(["0.123", "1.24", "56.8", "164"]);
    expect([87, 999.6, 1240].map(formatMs)).toEqual(["87 ms", "1,000 ms", "1.24 s"]);
    expect([0, 512, 18_233, 5.38e8].map(formatBytes)).toEqual(["0 B", "512 B", "18.2 kB", "538 MB"]);
    expect([45, 125, 5400, 3600].map(formatDuration)).toEqual(["45 s", "2 min 5 s", "1 h 30 min", "1 h"]);
  });

  it("never call a share all or nothing that is not", () => {
    expect([1, 0, 0.999999, 0.000001, 0.9884].map(formatPercent)).toEqual([
      "100 %",
      "0 %",
      "> 99.99 %",
      "< 0.01 %",
      "98.84 %",
    ]);
  });

  it("tell moments in a time zone, and refuse one that does not exist", () => {
    const at = Date.parse("2026-11-20T23:30:00Z");
    expect(formatMoment(at, "UTC")).toBe("2026-11-20 23:30:00 UTC");
    expect(formatMoment(at, "Europe/Berlin")).toBe("2026-11-21 00:30:00 Europe/Berlin");
    expect(() => formatMoment(at, "Mars/Olympus")).toThrow(RangeError);
  });
});
