import { describe, expect, it } from "vitest";
import { codes } from "../../src/model/codes.ts";
import { exitCodes } from "../../src/report/exit-codes.ts";
import { explain, explainableCodes, nearCode } from "../../src/report/explain-text.ts";

describe("an explanation", () => {
  it("exists for every diagnostic code and every exit code", () => {
    for (const code of [...Object.keys(codes), ...Object.keys(exitCodes)])
      expect(explain(code)?.text.length, code).toBeGreaterThan(15);
    expect(explainableCodes()).toEqual(expect.arrayContaining([...Object.keys(codes), "130"]));
  });

  it("covers every exit code of the contract, each with what to do or what it is kept for", () => {
    const contract = ["0", "1", "2", "3", "4", "5", "6", "7", "130", "143"];
    expect(Object.keys(exitCodes)).toEqual(contract);
    const thin = contract.filter((code) => (explain(code)?.text.split(/[.;]/).length ?? 0) < 3);
    expect(thin).toEqual(["0"]);
  });

  it("takes a code in any case, and without its letters", () => {
    expect(explain("lf3001")).toEqual(explain("LF3001"));
    expect(explain("3001")).toEqual(explain("LF3001"));
  });

  it("is none for another word, with the nearest code named", () => {
    expect(explain("LF999")).toBeUndefined();
    expect(explain("constructor")).toBeUndefined();
    expect(nearCode("LF30011")).toContain("LF3001");
    expect(nearCode("nothing like it")).toBe("");
  });

  it("is none for a number that is no exit code, with all of them named", () => {
    expect(nearCode("9")).toBe(" The exit codes are 0, 1, 2, 3, 4, 5, 6, 7, 130, 143.");
  });
});
