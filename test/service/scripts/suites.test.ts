import { describe, expect, it } from "vitest";
import { logged, runText } from "../support/run-text.ts";

describe("describe and it", () => {
  const states = async (text: string) =>
    (await runText(text)).tests.map(({ suiteName, name, state }) => `${state} ${suiteName}: ${name}`);

  it("report each test with its state", async () => {
    const text = `
      describe("shop", () => {
        it("opens", () => {});
        it("closes", async () => { throw new TypeError("stuck") });
        it.skip("is painted", () => {});
        it("is planned");
        describe("cellar", () => { it("is dark", (done) => setTimeout(done, 5)) });
      });
      it("stands alone", () => {});
    `;
    expect(await states(text)).toEqual([
      "passed shop: opens",
      "failed shop: closes",
      "skipped shop: is painted",
      "skipped shop: is planned",
      "passed shop cellar: is dark",
      "passed : stands alone",
    ]);
    const run = await runText(text);
    expect(run.tests[1]).toMatchObject({ errorType: "TypeError", error: "stuck" });
    expect(run.tests[1]?.errorTrace).toContain("main.js:4");
    expect([run.success, run.failure]).toEqual([false, null]);
  });

  it("call their hooks in order", async () => {
    const text = `
      const say = (what) => () => log.info(what);
      describe("a", () => {
        before(say("before")); after(say("after"));
        beforeEach(say("beforeEach")); afterEach(say("afterEach"));
        it("1", say("1"));
        describe("b", () => { beforeEach(say("inner")); it("2", say("2")) });
      });
    `;
    expect((await logged(text)).join(" ")).toBe("before beforeEach 1 afterEach beforeEach inner 2 afterEach after");
  });

  it("fail the tests of a suite whose before hook failed", async () => {
    const text = 'describe("a", () => { before(() => { throw new Error("no") }); it("1", () => {}) })';
    expect((await runText(text)).tests).toMatchObject([{ state: "failed", error: "no" }]);
  });

  it("run only what is marked so", async () => {
    expect(await states('it.only("1", () => {}); it("2", () => { throw 1 })')).toEqual(["passed : 1", "skipped : 2"]);
  });

  it("fail a test that takes longer than it may", async () => {
    const text = 'it("slow", function (done) { this.timeout(100); setTimeout(done, 200) })';
    expect((await runText(text)).tests).toMatchObject([{ state: "failed", error: "timeout of 100 ms exceeded" }]);
  });
});
