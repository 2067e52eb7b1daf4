import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { flagTable } from "../../src/cli/flag-table.ts";
import { loadCommand } from "../../src/cli/load-command.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";
import { repository } from "../support/source-files.ts";

const parse = (...argv: string[]) => parseCommandLine(argv, commandTable);
const problems = (...argv: string[]) => {
  const line = parse(...argv);
  return line.is === "wrong"
    ? line.diagnostics.map(({ code, summary, detail }) => `${code} ${summary}: ${detail}`)
    : [];
};

describe("a command line", () => {
  it("is a command with its arguments and the values of its flags", () => {
    const line = parse(
      "plan",
      "dir",
      "--env",
      "staging",
      "--var",
      "a=1",
      "--var",
      "b=x=y",
      "--target",
      "A",
      "--target",
      "B",
      "--json",
    );
    expect(line).toMatchObject({
      is: "command",
      spec: { name: "plan" },
      args: ["dir"],
      flags: { env: "staging", var: { a: "1", b: "x=y" }, target: ["A", "B"], json: true },
    });
  });

  it("leaves flags that were not given out", () => {
    const line = parse("apply");
    expect(line.is === "command" && line.flags).toEqual({});
  });

  it("takes numbers as numbers", () => {
    const line = parse("apply", "--parallelism", "4", "--lock-timeout", "0");
    expect(line.is === "command" && line.flags).toEqual({ parallelism: 4, lockTimeout: 0 });
  });

  it("takes flags before and after the folder, and after =", () => {
    const line = parse("plan", "--env=staging", "dir", "--json");
    expect(line).toMatchObject({ args: ["dir"], flags: { env: "staging", json: true } });
  });

  it("takes --no-rehearsal without a word", () => {
    expect(parse("plan", "--no-rehearsal")).toMatchObject({ is: "command", flags: { rehearsal: false } });
  });

  it("reads the commands of state with their own arguments", () => {
    expect(parse("state", "mv", "a.b", "a.c", "dir")).toMatchObject({
      spec: { name: "state mv" },
      args: ["a.b", "a.c", "dir"],
    });
  });

  it("lets the last of two values of a flag win", () => {
    expect(parse("plan", "--var", "a=1", "--var", "a=2")).toMatchObject({ flags: { var: { a: "2" } } });
  });
});

describe("what is wrong with a command line", () => {
  const cases: readonly [string, string[], string][] = [
    ["an unknown command, with the nearest one", ["pln"], "LF9001 unknown command 'pln': Did you mean plan?"],
    ["help for an unknown command", ["help", "plna"], "LF9001 unknown command 'plna': Did you mean plan? All commands"],
    ["an unknown command of state", ["state", "lst"], "LF9001 unknown command 'lst': Did you mean list?"],
    [
      "an unknown flag, with the nearest one",
      ["apply", "--auto-aprove"],
      "LF9001 unknown option '--auto-aprove': Did you mean --auto-approve?",
    ],
    ["a flag with one dash", ["apply", "-auto-approve"], "LF9001 unknown option '-auto-approve': Did you mean --auto-"],
    [
      "a flag cut short",
      ["plan", "--detailed-exit"],
      "LF9001 unknown option '--detailed-exit': Did you mean --detailed-exitcode?",
    ],
    [
      "a value for a flag without one",
      ["state", "list", "--json=true"],
      "LF9001 unknown option '--json=true': --json takes no value.",
    ],
    ["a flag of another command", ["validate", "--target", "x"], "LF9001 unknown option '--target'"],
    [
      "an argument too many",
      ["plan", "a", "b"],
      "LF9001 too many arguments for 'plan'. Expected 1 argument but got 2.",
    ],
    ["a missing argument", ["explain"], "LF9001 missing required argument 'code'"],
    ["a flag without its value", ["plan", "--out"], "LF9001 option '--out <file>' argument missing"],
    [
      "an empty value",
      ["plan", "--target", ""],
      "LF9001 --target has an empty value: found nothing; expected --target <glob>",
    ],
    ["a variable without =", ["plan", "--var", "users"], 'LF9001 --var is not NAME=VALUE: found "users" without =;'],
    [
      "a variable with a bad name",
      ["plan", "--var", "1a=2"],
      'LF9001 --var is not NAME=VALUE: found "1a" before the =;',
    ],
    [
      "a word where a number belongs",
      ["apply", "--parallelism", "many"],
      'LF9001 --parallelism takes a whole number: found "many"; expected one from 1 to 256',
    ],
    ["a number out of its limits", ["apply", "--parallelism", "0"], "expected one from 1 to 256"],
    ["a fraction", ["apply", "--lock-timeout", "1.5"], "LF9001 --lock-timeout takes a whole number"],
    ["a number with more to it", ["serve", "--port", "80a"], "LF9001 --port takes a whole number"],
    [
      "a value that is not among the choices",
      ["plan", "--adopt", "exct"],
      'LF9001 --adopt takes another value: found "exct"; expected exact or name',
    ],
    ["a flag that is not built yet", ["plan", "--html", "x.html"], "LF9003 --html is not built yet"],
    ["another flag that is not built yet", ["plan", "--against", "x.json"], "LF9003 --against is not built yet"],
    ["no command", [], "LF9001 no command"],
    ["no command of state", ["state"], "LF9001 no command"],
  ];
  it.each(cases)("is told for %s", (_title, argv, expected) => {
    expect(problems(...argv).join("\n")).toContain(expected);
  });

  it("is told all at once", () => {
    expect(problems("apply", "--parallelism", "0", "--var", "x", "--adopt", "y")).toHaveLength(3);
  });

  it("does not repeat the value of a malformed variable", () => {
    expect(problems("plan", "--var", "a b=hunter2").join()).not.toContain("hunter2");
  });

  it("comes with the list of commands when there is none", () => {
    const line = parse();
    expect(line.is === "wrong" && line.help).toContain("Commands:");
  });
});

describe("help", () => {
  it.each(commandTable.map(({ name }) => [name]))("of %s shows its flags and an example", (name) => {
    const line = parse(...name.split(" "), "--help");
    const spec = commandTable.find((each) => each.name === name);
    const text = line.is === "text" ? line.text : "";
    expect(text).toMatch(new RegExp(`Examples?:\\n {2}.*loadform ${name.split(" ")[0]}`));
    for (const flag of spec?.flags ?? []) expect(text).toContain(flagTable[flag].usage);
  });

  it("lists every command", () => {
    const line = parse("--help");
    for (const { name } of commandTable.filter((spec) => !spec.name.includes(" ")))
      expect(line.is === "text" && line.text).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  });

  it("is also a command", () => {
    expect(parse("help", "plan")).toEqual(parse("plan", "--help"));
  });
});

describe("the table of commands", () => {
  it("holds the contract's commands", () => {
    const contract =
      "init validate plan apply destroy import drift snapshot whoami state graph schema fmt serve explain completion run report watch";
    expect(commandTable.filter(({ name }) => !name.includes(" ")).map(({ name }) => name)).toEqual(contract.split(" "));
    const verbs = "list show mv rm pull push unlock retarget";
    expect(commandTable.flatMap(({ name }) => (name.startsWith("state ") ? [name.slice(6)] : []))).toEqual(
      verbs.split(" "),
    );
  });

  it("has code behind every command that is built, and none behind the others", async () => {
    const files = readdirSync(join(repository, "src/cli/commands")).map((file) => file.replace(".ts", ""));
    const built = commandTable.filter((spec) => !spec.later && !spec.name.includes(" ")).map(({ name }) => name);
    expect(built.sort()).toEqual(files.sort());
    for (const { name, later } of commandTable) if (later) expect(await loadCommand(name), name).toBeUndefined();
  });
});
