import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { confirmingCommand } from "../../src/cli/confirming-command.ts";

describe("the command that confirms", () => {
  it.each([
    [["apply"], "loadform apply --auto-approve"],
    [
      ["apply", "examples/webshop", "--var", "users=20"],
      "loadform apply examples/webshop --var users=20 --auto-approve",
    ],
    [["destroy", "--target", "testCase.*"], "loadform destroy --target 'testCase.*' --auto-approve"],
    [["apply", "--", "-odd"], "loadform apply --auto-approve -- -odd"],
  ])("of %j is %s", (argv, expected) => {
    expect(confirmingCommand(argv)).toBe(expected);
  });

  it("reaches the program as it was typed, through a shell", () => {
    const argv = ["apply", "it's $HOME", "--var", 'a="b c"\n*'];
    const command = confirmingCommand(argv).replace("loadform", "printf '%s\\0'");
    expect(execFileSync("sh", ["-c", command], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual([
      ...argv,
      "--auto-approve",
    ]);
  });
});
