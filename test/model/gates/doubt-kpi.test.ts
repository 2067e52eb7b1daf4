import { describe, expect, it } from "vitest";
import { doubtCompared, doubtKpi } from "../../../src/model/gates/doubt-kpi.ts";
import { isKpiProblem, parseFigureName, parseKpi } from "../../../src/model/gates/kpi.ts";

const nameOf = (text: string) => {
  const name = parseFigureName(text);
  if (isKpiProblem(name)) throw new Error(name.problem);
  return name;
};
const kpiOf = (expr: string) => {
  const kpi = parseKpi(expr);
  if (isKpiProblem(kpi)) throw new Error(kpi.problem);
  return kpi;
};

describe("before a run", () => {
  it.each([
    "Outcome[success] > 95%",
    "Outcome[success] > 95",
    "outcome[anything] = 0",
    "firstReceivedMs[p95] < 1s",
    "Response Time[mean] < 300 ms",
    "Success Rate > 95%",
    "bytesSent < 5bytes",
    "count > 5",
    "memoryUtilization[largest] < 90%",
    "User/anything[whatever] < 5ms",
  ])("nothing is said of %s", (expr) => expect(doubtKpi(kpiOf(expr))).toEqual({}));

  it.each([
    ["firstReceivedMs < 5", 16, "a timing without a selector"],
    ["firstReceivedMs[p95] < 5%", 25, "found the unit %; expected ms or s"],
    ["firstReceivedMs[count] < 5ms", 27, "found the unit ms; expected none"],
    ["Outcome[success] > 5ms", 21, "found the unit ms; expected none"],
    ["count > 5%", 10, "found the unit %; expected none"],
    ["count[p95] > 5", 7, "found [p95] after a counter"],
    ["System/cpu[p95] > 5", 12, "found [p95] after a metered metric"],
  ])("%s is refused at column %i", (expr, column, problem) => {
    expect(doubtKpi(kpiOf(expr))).toEqual({ problem: { column, problem: expect.stringContaining(problem) } });
  });

  it.each([
    ["firstReceivedMs[p90] < 5", "p90 is measured only where the run was told to"],
    ["fristReceivedMs[p95] < 5", "Did you mean firstReceivedMs?"],
    ["Outcom[success] > 5%", "Did you mean outcome?"],
    ["elsewhere > 5", "The service measures count, outcome"],
    ["Outcome[sucess] > 95%", "is 0 where no outcome has this name. Did you mean success?"],
  ])("%s is doubted", (expr, doubt) => expect(doubtKpi(kpiOf(expr)).doubt?.detail).toContain(doubt));

  it.each([
    ["outcome[success]", { unit: "%" }],
    ["firstReceivedMs[p95]", { unit: "ms" }],
    ["count", { unit: null }],
    ["User/cart", {}],
    ["outcome", { problem: { column: 3, problem: expect.stringContaining("a histogram without a selector") } }],
  ])("%s is compared", (text, expected) => expect(doubtCompared(nameOf(text), 3)).toEqual(expected));
});
