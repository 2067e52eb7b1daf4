import { describe, expect, test } from "vitest";
import { type Dispatch, scheduleOperations } from "../../src/apply/schedule-operations.ts";
import type { Operation } from "../../src/plan/plan.ts";

const operation = (id: string, more: Partial<Operation> = {}): Operation => ({
  id,
  op: "create",
  kind: "testCase",
  address: id,
  declared: {},
  fields: {},
  after: [],
  ...more,
});

/** Runs operations that are sent once they have a place; answers what happened in order, and how each ended. */
async function runAll(
  operations: readonly Operation[],
  of: { readonly parallelism: number; readonly fails?: string; readonly stopsAfter?: string },
) {
  const told: string[] = [];
  const state = { sending: 0, most: 0, isStopped: false };
  const run: Dispatch["run"] = async ({ id }, place) => {
    told.push(`${id} is prepared`);
    if (!(await place.take())) return "skipped";
    state.most = Math.max(state.most, ++state.sending);
    told.push(`${id} is sent`);
    await new Promise((resolve) => setImmediate(resolve));
    state.sending--;
    if (id === of.stopsAfter) state.isStopped = true;
    return id === of.fails ? "failed" : "done";
  };
  const { parallelism } = of;
  const endings = await scheduleOperations(operations, { run, parallelism, isStopped: () => state.isStopped });
  return { told, most: state.most, endings: Object.fromEntries(endings) };
}

const five = ["a", "b", "c", "d", "e"].map((id) => operation(id));

describe("operations at a time", () => {
  test("are as many as there are places, and as many more are prepared", async () => {
    const { told, most } = await runAll(five, { parallelism: 2 });
    expect(most).toBe(2);
    expect(told.slice(0, 6)).toEqual([
      ...["a is prepared", "b is prepared", "c is prepared", "d is prepared"],
      ...["a is sent", "b is sent"],
    ]);
    expect(told.filter((each) => each.endsWith("sent"))).toEqual(five.map(({ id }) => `${id} is sent`));
  });

  test("that were prepared are skipped when nothing is sent any more", async () => {
    const { told, endings } = await runAll(five, { parallelism: 1, stopsAfter: "a" });
    expect(told).toEqual(["a is prepared", "b is prepared", "a is sent"]);
    expect(endings).toEqual({ a: "done", b: "skipped", c: "skipped", d: "skipped", e: "skipped" });
  });

  test("that wait for a place are skipped when a delete is connected with what failed meanwhile", async () => {
    const deletes = [operation("x", { op: "delete" }), operation("y", { op: "delete" })];
    const operations = [...deletes, operation("z", { after: ["x", "y"] })];
    const { told, endings } = await runAll(operations, { parallelism: 1, fails: "x" });
    expect(told).toEqual(["x is prepared", "y is prepared", "x is sent"]);
    expect(endings).toEqual({ x: "failed", y: "skipped", z: "skipped" });
  });

  test("under one test case are four, those that are prepared among them", async () => {
    const below = ["1", "2", "3", "4", "5", "6"].map((name) => operation(`testCase.t/scenario.${name}`));
    const { told, most } = await runAll(below, { parallelism: 5 });
    expect(told.slice(0, 4).every((each) => each.endsWith("prepared"))).toBe(true);
    expect(most).toBe(4);
  });

  test("are looked at a few times each, however many wait", async () => {
    let looks = 0;
    const many = Array.from({ length: 2000 }, (_, index) =>
      Object.defineProperty(operation(`testCase.t${index % 2}/scenario.${index}`), "op", {
        get() {
          looks++;
          return "create";
        },
      }),
    );
    const { told, endings } = await runAll(many, { parallelism: 16 });
    const sent = told.filter((each) => each.endsWith("sent"));
    for (const root of ["t0", "t1"])
      expect(sent.filter((each) => each.includes(root))).toEqual(
        many.filter(({ id }) => id.includes(root)).map(({ id }) => `${id} is sent`),
      );
    expect(new Set(Object.values(endings))).toEqual(new Set(["done"]));
    expect(looks).toBeLessThan(4 * many.length);
  });
});
