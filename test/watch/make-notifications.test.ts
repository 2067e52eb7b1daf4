import { describe, expect, test } from "vitest";
import type { CheckResult, Finding } from "../../src/watch/check-result.ts";
import { broken, diagnostic, finding, foundWith, healEnd, Watching } from "./watching.ts";

const git = finding("testCase.a", "git");
const drift = finding("testCase.b", "drift");
const result = (findings: readonly Finding[]): CheckResult => ({ is: "checked", found: foundWith(findings) });
const held: CheckResult = { is: "checked", found: foundWith([git], { blocked: [diagnostic("protected")] }) };
const refused: CheckResult = { is: "refused", diagnostics: [] };
const healed: CheckResult = { ...result([]), heal: healEnd("healed", ["testCase.a"]) } as CheckResult;
const locked: CheckResult = { ...result([git]), heal: healEnd("locked") } as CheckResult;

describe("what is told", () => {
  test.each<[string, readonly CheckResult[], readonly string[]]>([
    ["nothing of the first state", [result([drift])], []],
    ["nothing of a first failure", [broken], []],
    ["nothing of a state that remains", [result([]), result([]), result([])], []],
    ["a change of the state, once", [result([]), result([drift]), result([drift])], ["drifted"]],
    ["an error, once", [result([]), broken, broken, broken], ["failed"]],
    ["every change", [result([]), result([git]), result([drift])], ["out-of-sync", "drifted"]],
    ["a healing of the first check", [healed], ["healed"]],
    ["a healing though the state is the same", [result([]), healed], ["healed"]],
    ["a healing of what was told before", [result([]), result([git]), healed], ["out-of-sync", "healed", "in-sync"]],
    ["a recovery from errors", [result([]), broken, result([])], ["failed", "recovered", "in-sync"]],
    ["one to another trouble, too", [result([]), broken, result([drift])], ["failed", "recovered", "drifted"]],
    ["none from one hindrance to another", [result([]), broken, held], ["failed", "blocked"]],
    ["one from a lock", [result([]), locked, result([git])], ["locked", "recovered", "out-of-sync"]],
    ["one from a guard", [result([]), refused, result([])], ["blocked", "recovered", "in-sync"]],
    ["one without a healing", [result([]), result([drift]), result([])], ["drifted", "recovered", "in-sync"]],
  ])("is %s", (_, results, told) => {
    const watch = new Watching();
    for (const each of results) {
      watch.due();
      watch.ended(each);
    }
    expect(watch.told).toEqual(told);
  });

  test("is a recovery across a suspension, once", () => {
    const watch = new Watching();
    watch.check([]);
    watch.due();
    watch.ended(broken);
    watch.send({ is: "suspended", project: "webshop" });
    watch.send({ is: "suspended", project: "webshop" });
    watch.send({ is: "resumed", project: "webshop" });
    watch.check([]);
    watch.check([]);
    expect(watch.told).toEqual(["failed", "suspended", "recovered", "in-sync"]);
  });

  test("has the project, both states, the commit and the time", () => {
    const watch = new Watching();
    watch.check([]);
    watch.commit = "c2";
    watch.due();
    const [tell] = watch.ended({ is: "checked", found: foundWith([], { blocked: [diagnostic("held")] }) });
    expect(tell).toEqual({
      do: "tell",
      notification: {
        ...{ project: "webshop", state: "blocked", was: "in-sync", on: "blocked", commit: "c2" },
        ...{ at: new Date(watch.now).toISOString(), text: "webshop is blocked: held (was in-sync)" },
      },
    });
  });

  test("is one line for a person", () => {
    const watch = new Watching({ heal: "all" });
    const many = Array.from({ length: 7 }, (_, index) => finding(`testCase.t${index}`, "drift"));
    for (let count = 0; count < 3; count++) watch.check(many);
    watch.due();
    watch.ended(broken);
    watch.check([]);
    const [first = "", , , fought, failed, recovered, state] = watch.texts;
    expect(first).toBe("webshop: healed testCase.t0, testCase.t1, testCase.t2, testCase.t3, testCase.t4 and 2 more");
    expect(fought).toContain("were changed outside and healed three times within an hour; they are left alone");
    expect(failed).toBe("webshop is failed: the service does not answer (was in-sync)");
    expect(recovered).toBe("webshop has recovered from failed: it is in-sync");
    expect(state).toBe("webshop is in-sync (was failed)");
  });
});
