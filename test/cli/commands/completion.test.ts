// merge: shells
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commandTable } from "../../../src/cli/command-table.ts";
import { type Flag, flagTable } from "../../../src/cli/flag-table.ts";
import { freshFolder, runCli } from "../../support/run-cli.ts";

const cwd = freshFolder();
const scripts = new Map<string, string>();

beforeAll(async () => {
  mkdirSync(join(cwd, "my project"));
  writeFileSync(join(cwd, "my plan.json"), "");
  for (const shell of ["bash", "zsh", "fish"])
    scripts.set(shell, (await runCli(["completion", shell], { cwd })).stdout);
});

function inShell(shell: string, text: string, flags: readonly string[] = []) {
  const file = join(cwd, `.completion.${shell}`);
  writeFileSync(file, scripts.get(shell) ?? "");
  const { status, stdout, stderr } = spawnSync(shell, [...flags, "-c", text, shell, file], { cwd, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((line) => line !== "");
}

/** What bash offers at the end of a command line; its words as bash splits them. */
function offered(...words: readonly string[]): readonly string[] {
  const all = ["loadform", ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const call = `source "$1"; COMP_WORDS=(${all}); COMP_CWORD=${words.length}
    function_of() { [[ "$(complete -p loadform)" =~ -F\\ ([^ ]+) ]] && "\${BASH_REMATCH[1]}"; }
    function_of; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return inShell("bash", call, ["--norc"]);
}

describe("completions in bash", () => {
  it("offer every command, and no other", () => {
    const words = commandTable.map(({ name }) => name).filter((name) => !name.includes(" "));
    expect(offered("")).toEqual(words);
    expect(offered("state", "")).toEqual(["list", "show", "mv", "rm", "pull", "push", "unlock", "retarget"]);
  });

  it("offer every flag of every command", () => {
    for (const { name, flags } of commandTable) {
      const known = flags.map((flag): Flag => flagTable[flag]);
      const words = known.map(({ usage }) => usage.split(" ")[0]);
      expect(offered(...name.split(" "), "--")).toEqual([...words, "--help"]);
    }
  });

  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["commands that begin so", ["im"], ["import"]],
    ["flags that begin so", ["plan", "--de"], ["--detailed-exitcode", "--destroy"]],
    ["the values of a choice", ["plan", "--adopt", ""], ["exact", "name"]],
    ["the values of a choice after =", ["plan", "--adopt", "=", "n"], ["name"]],
    ["the values of a choice right after =", ["plan", "--adopt", "="], ["exact", "name"]],
    [
      "the choice of the command, where two share a flag's name",
      ["import", "--format", ""],
      ["yaml", "ts", "terraform"],
    ],
    ["folders where a folder is expected", ["whoami", "my"], ["my project"]],
    ["folders at every place where several may be named", ["validate", "a", "b", "my"], ["my project"]],
    [
      "folders after flags with and without values",
      ["plan", "--json", "--env", "x", "--var", "=", "a", "my"],
      ["my project"],
    ],
    ["files too where a saved plan may stand", ["apply", "my"], ["my plan.json", "my project"]],
    ["files as the value of a flag", ["plan", "--out", "my"], ["my plan.json", "my project"]],
    ["folders behind addresses", ["state", "mv", "a", "b", "my"], ["my project"]],
    ["shells", ["completion", ""], ["bash", "zsh", "fish"]],
    ["kinds", ["schema", "te"], ["testCase"]],
    ["codes", ["explain", "LF3001"], ["LF3001"]],
    ["nothing where any text may stand", ["plan", "--env", ""], []],
    ["nothing for an address", ["state", "show", "my"], []],
    ["the flags of the program", ["--"], ["--help", "--version"]],
  ];
  it.each(cases)("offer %s", (_title, words, expected) => {
    expect([...offered(...words)].sort()).toEqual([...expected].sort());
  });
});

const isInstalled = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;
for (const shell of ["zsh", "fish"])
  if (!isInstalled(shell)) console.warn(`SKIPPED: completions in ${shell} are not tested, ${shell} is not installed`);

describe.skipIf(!isInstalled("zsh"))("completions in zsh", () => {
  it("are registered for loadform", () => {
    const text = `autoload -U compinit && compinit -u -D && source "$1" && print -r -- "$_comps[loadform]"; whence -w _loadform_state_mv`;
    expect(inShell("zsh", text, ["-f"])).toEqual(["_loadform", "_loadform_state_mv: function"]);
  });
});

describe.skipIf(!isInstalled("fish"))("completions in fish", () => {
  const offeredByFish = (line: string) =>
    inShell("fish", `source $argv[2]; complete -C '${line}'`, ["--no-config"]).map((each) => each.split("\t")[0]);
  it("offer commands, flags and values", () => {
    expect(offeredByFish("loadform im")).toEqual(["import"]);
    expect(offeredByFish("loadform state re")).toEqual(["retarget"]);
    expect(offeredByFish("loadform plan --adopt ")).toEqual(["exact", "name"]);
  });
});

describe("completions in zsh and fish, by their text", () => {
  it("hold every command and flag", () => {
    for (const { name, flags } of commandTable)
      for (const flag of flags.map((each): Flag => flagTable[each])) {
        const word = flag.usage.split(" ")[0] ?? "";
        expect(scripts.get("zsh")).toMatch(
          new RegExp(`_loadform_${name.replace(" ", "_")}\\(\\) \\{[^}]*'\\*?${word}[=[]`),
        );
        const condition = name.split(" ").map((part) => `__fish_seen_subcommand_from ${part}`);
        expect(scripts.get("fish")).toContain(`-n '${condition.join("; and ")}' -l ${word.slice(2)} `);
      }
  });

  it("are quoted so that bash, whose quotes are those of zsh, reads each line", () => {
    const lines = (scripts.get("zsh") ?? "").split("\n").filter((line) => /^ +'/.test(line));
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) expect(spawnSync("bash", ["-nc", `: ${line.replace(/\\$/, "")}`]).status).toBe(0);
  });
});

describe("completion", () => {
  it("refuses a shell that it does not know", async () => {
    const { code, stdout, stderr } = await runCli(["completion", "tcsh"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain('LF9001: there are no completions for this shell\n  "tcsh" is not one of bash, zsh, fish');
  });
});
