import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { type Flag, flagTable } from "../../src/cli/flag-table.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";

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

  it.each(["plan", "apply", "destroy"])("leaves the rehearsal of %s out only when it is told to", (name) => {
    expect(parse(name, "--no-rehearsal")).toMatchObject({ is: "command", flags: { rehearsal: false } });
    const plain = parse(name);
    expect(plain.is === "command" && plain.flags).toEqual({});
  });

  it.each([[["destroy", "--adopt", "exact", "--replace", "testCase.a", "--force-threshold"]]])(
    "takes %s for lines that were written for another command, and does not list it",
    ([name = "", ...flags]) => {
      expect(parse(name, ...flags)).toMatchObject({ is: "command", flags: {} });
      const help = parse(name, "--help");
      for (const flag of flags.filter((word) => word.startsWith("--")))
        expect(help.is === "text" ? help.text : flag).not.toContain(flag);
    },
  );

  it.each([[[]], [["state"]]])("answers %s with the help alone", (argv) => {
    expect(parse(...argv)).toMatchObject({ is: "wrong", diagnostics: [], help: expect.stringContaining("Usage:") });
  });

  it("takes --quiet and --no-color with every command, and --timeout with those that ask the service", () => {
    const commands = commandTable.filter(({ name }) => name !== "state");
    for (const { name, flags } of commands)
      expect([name, ...flags]).toEqual(expect.arrayContaining(["quiet", "color"]));
    expect(commands.filter(({ flags }) => flags.includes("timeout")).map(({ name }) => name)).toEqual([
      "plan",
      "apply",
      "destroy",
      "run",
      "report",
      "import",
      "drift",
      "snapshot",
      "whoami",
      "state retarget",
      "conformance",
      "watch",
    ]);
    expect(parse("plan", "--timeout", "3", "--quiet", "--no-color")).toMatchObject({
      flags: { timeout: 3, quiet: true, color: false },
    });
    expect(parse("plan")).toMatchObject({ is: "command", flags: {} });
    expect(problems("plan", "--timeout", "0").join()).toContain("--timeout takes a whole number");
  });

  it("reads the commands of state with their own arguments", () => {
    expect(parse("state", "mv", "a.b", "a.c", "dir")).toMatchObject({
      spec: { name: "state mv" },
      args: ["a.b", "a.c", "dir"],
    });
  });

  it("lets the last of two values of a flag win", () => {
    expect(parse("run", "--param", "User Name=ann", "--param", "a=b=c")).toMatchObject({
      flags: { param: { "User Name": "ann", a: "b=c" } },
    });
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
    [
      "a flag of other tools",
      ["apply", "--yes"],
      "LF9001 unknown option '--yes': To apply without being asked: --auto-app",
    ],
    ["its short form", ["apply", "-y"], "LF9001 unknown option '-y': To apply without being asked: --auto-approve"],
    [
      "a trial run",
      ["apply", "--dry-run"],
      "LF9001 unknown option '--dry-run': loadform plan shows what apply would do",
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
      ["whoami", "a", "b"],
      "LF9001 too many arguments for 'whoami'. Expected 1 argument but got 2.",
    ],
    ["a missing argument", ["explain"], "LF9001 missing required argument 'code'"],
    ["a flag without its value", ["plan", "--out"], "LF9001 option '--out <file>' argument missing"],
    ["an empty value", ["plan", "--target", ""], "LF9001 --target has an empty value: Write --target <glob>"],
    ["an empty argument", ["destroy", "", "--auto-approve"], "LF9001 an argument is empty: A variable"],
    [
      "a parameter without a name",
      ["run", "--param", "=ann"],
      'LF9001 --param is not NAME=VALUE: "" is not the name of a parameter.',
    ],
    ["a variable without =", ["plan", "--var", "users"], 'LF9001 --var is not NAME=VALUE: "users" has no =.'],
    [
      "a variable with a bad name",
      ["plan", "--var", "1a=2"],
      'LF9001 --var is not NAME=VALUE: "1a" is not the name of a variable.',
    ],
    [
      "a word where a number belongs",
      ["apply", "--parallelism", "many"],
      'LF9001 --parallelism takes a whole number: It takes a number from 1 to 256, not "many"',
    ],
    ["a number out of its limits", ["apply", "--parallelism", "0"], "It takes a number from 1 to 256, not"],
    ["a fraction", ["apply", "--lock-timeout", "1.5"], "LF9001 --lock-timeout takes a whole number"],
    ["a number with more to it", ["serve", "--port", "80a"], "LF9001 --port takes a whole number"],
    [
      "a value that is not among the choices",
      ["plan", "--adopt", "exct"],
      'LF9001 --adopt does not take this value: It takes exact or name, not "exct"',
    ],
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
  it.each(commandTable.map(({ name }) => [name]))("of %s shows its flags and an example", (command) => {
    const line = parse(...command.split(" "), "--help");
    const spec = commandTable.find((each) => each.name === command);
    const text = line.is === "text" ? line.text : "";
    expect(text).toMatch(new RegExp(`Examples?:\\n {2}.*loadform ${command.split(" ")[0]}`));
    for (const name of spec?.flags ?? []) {
      const flag: Flag = flagTable[name];
      expect(text).toContain(flag.usage);
    }
  });

  it("lists every command", () => {
    const line = parse("--help");
    const text = line.is === "text" ? line.text : "";
    for (const { name } of commandTable.filter((spec) => !spec.name.includes(" ")))
      expect(text).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  });

  it("is also a command", () => {
    expect(parse("help", "plan")).toEqual(parse("plan", "--help"));
  });
});

describe("terraform", () => {
  it("passes on what comes after --", () => {
    expect(parse("terraform", "--bin", "tofu", "--", "plan", "-out=x", "--bin", "y")).toMatchObject({
      is: "command",
      args: ["plan", "-out=x", "--bin", "y"],
      flags: { bin: "tofu" },
    });
  });

  it("says where Terraform's own flags stand", () => {
    expect(parse("terraform", "plan", "-no-color")).toMatchObject({
      is: "wrong",
      diagnostics: [{ detail: expect.stringContaining("come after --") }],
    });
  });
});

describe("the table of commands", () => {
  it("holds the contract's commands", () => {
    const contract =
      "init validate plan apply destroy run report show import drift snapshot whoami state graph expand conformance schema fmt lsp serve terraform explain completion watch";
    expect(commandTable.filter(({ name }) => !name.includes(" ")).map(({ name }) => name)).toEqual(contract.split(" "));
    const verbs = "list show mv rm pull push unlock retarget";
    expect(commandTable.flatMap(({ name }) => (name.startsWith("state ") ? [name.slice(6)] : []))).toEqual(
      verbs.split(" "),
    );
  });
});

it("leaves empty arguments to Terraform", () => {
  const argv = ["terraform", "--", "init", "-backend-config", ""];
  expect(parseCommandLine(argv, commandTable)).toMatchObject({ is: "command", args: argv.slice(2) });
});
