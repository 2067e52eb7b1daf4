import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  figureText,
  isKpiProblem,
  kpiPattern,
  meets,
  parseFigureName,
  parseKpi,
} from "../../../src/model/gates/kpi.ts";

const read = (expr: string) => {
  const kpi = parseKpi(expr);
  if (isKpiProblem(kpi)) throw new Error(`${expr}: ${kpi.problem}`);
  const { columns: _, ...rest } = kpi;
  return rest;
};

describe("a KPI", () => {
  it.each([
    ["count > 10", { name: "count", operator: ">", threshold: 10 }],
    ["count>10", { name: "count", operator: ">", threshold: 10 }],
    ["  count  >=  1e3  ", { name: "count", operator: ">=", threshold: 1000 }],
    ["Outcome[success] > 95%", { name: "Outcome", selector: "success", operator: ">", threshold: 95, unit: "%" }],
    [
      "Response Time[ p95 ] < 1.5 s",
      { name: "Response Time", selector: "p95", operator: "<", threshold: 1.5, unit: "s" },
    ],
    [
      "firstReceivedMs [p95] <= 300ms",
      { name: "firstReceivedMs", selector: "p95", operator: "<=", threshold: 300, unit: "ms" },
    ],
    [
      "User/cart/size[mean] != -2",
      { namespace: "User", name: "cart/size", selector: "mean", operator: "!=", threshold: -2 },
    ],
    ["bytesSent == +.5 bytes", { name: "bytesSent", operator: "=", threshold: 0.5, unit: "bytes" }],
    [
      "httpContentType[text/html; charset=utf-8] > 0",
      { name: "httpContentType", selector: "text/html; charset=utf-8", operator: ">", threshold: 0 },
    ],
  ])("reads %j", (expr, expected) => expect(read(expr)).toEqual(expected));

  it.each([
    ["", 1, "found no metric"],
    ["> 5", 1, "found no metric"],
    ["/count > 5", 1, "found no metric"],
    ["count", 6, "found no comparison"],
    ["count  ", 6, "found no comparison"],
    ["count[p95]", 11, "found no comparison"],
    ["count] > 5", 6, 'found "]" without its "["'],
    ["count[p95 > 5", 6, 'found "[" without its "]"'],
    ["count[] > 5", 7, "found an empty selector"],
    ["count[ ] > 5", 7, "found an empty selector"],
    ["a[p95] of 5", 8, 'found "of 5"'],
    ["a[p95][p99] < 5", 7, 'found "[p99] < 5"'],
    ["count > ", 8, "found nothing after the comparison"],
    ["count > many", 9, 'found "many" after the comparison'],
    ["count => 5", 8, 'found "> 5" after the comparison'],
    ["count <> 5", 8, 'found "> 5" after the comparison'],
    ["count > 5 seconds", 11, 'found the unit "seconds"'],
    ["count > 5MS", 10, 'found the unit "MS"'],
    ["count > 1,5", 10, 'found the unit ",5"'],
    ["count > 5 %  and count < 9", 11, "found the unit"],
    ["count ! 5", 7, 'found "! 5"'],
  ])("%j is wrong at column %i", (expr, column, problem) => {
    expect(parseKpi(expr)).toEqual({ column, problem: expect.stringContaining(problem) });
  });

  it("knows the columns of its parts", () => {
    expect(parseKpi("Outcome[success]  >=  95 %")).toMatchObject({ columns: { selector: 9, operator: 19, unit: 26 } });
    expect(parseKpi("firstReceivedMs < 95")).toMatchObject({ columns: { selector: 16, operator: 17 } });
  });
});

describe("the name of a figure", () => {
  it.each(["count", "firstReceivedMs[p95]", "User/cart[mean]"])("%s is read and written", (text) => {
    const name = parseFigureName(text);
    expect("problem" in name ? name : figureText(name)).toBe(text);
  });

  it.each([
    ["", 1],
    ["count[p95", 6],
    ["count[p95] < 5", 12],
    ["count < 5", 7],
  ])("%j is wrong at column %i", (text, column) => expect(parseFigureName(text)).toMatchObject({ column }));
});

it.each([
  ["<", [true, false, false]],
  ["<=", [true, true, false]],
  [">", [false, false, true]],
  [">=", [false, true, true]],
  ["=", [false, true, false]],
  ["!=", [true, false, true]],
] as const)("less, equal and greater under %s", (operator, expected) => {
  expect([1, 2, 3].map((value) => meets(value, operator, 2))).toEqual(expected);
});

it("the pattern for editors matches what is read, and nothing else", () => {
  const pattern = new RegExp(kpiPattern, "u");
  const piece = fc.constantFrom(
    ...[
      "count",
      "Outcome",
      "User/",
      "/",
      "a b",
      "[",
      "]",
      "[p95]",
      "[ ]",
      "<",
      ">=",
      "==",
      "=",
      "!=",
      "!",
      "1",
      "0.5",
      ".5",
      "1e3",
    ],
    ...["-", "+", "%", "ms", "s", "bytes", "kb", " ", "\t", "e", "x"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join("");
      expect([text, pattern.test(text)]).toEqual([text, !isKpiProblem(parseKpi(text))]);
    }),
    { numRuns: 5_000 },
  );
});
