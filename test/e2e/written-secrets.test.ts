import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";

const canary = "hunter3canary";
const head = 'project: p\nservice: { url: "memory:.loadform/service.json" }\n';
const root = (fields: string) => `${head}vcsRoots: { v: { url: "https://x.example", ${fields} } }\n`;
const cloud = (metadata: string) =>
  `${head}providers: { g: { providerType: CloudOnDemand, metadata: { ${metadata} } } }\n`;

const commands = [
  ["validate"],
  ["validate", "--json"],
  ["plan", "--json"],
  ["plan", "--markdown", "plan.md"],
  ["fmt"],
] as const;

/** What every command prints about a project of one file, and what it leaves beside it. */
async function printedOf(yaml: string): Promise<string> {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "loadform.yaml"), yaml);
  const printed: string[] = [];
  for (const command of commands) {
    const { stdout, stderr } = await runCli([...command], { cwd });
    printed.push(`--- ${command.join(" ")}`, stdout, stderr);
  }
  for (const name of readdirSync(cwd)) if (name === "plan.md") printed.push(readFileSync(join(cwd, name), "utf8"));
  return printed.join("\n");
}

describe("a password within the url of a repository", () => {
  it("is masked where it changes, in plan and drift", async () => {
    const cwd = freshFolder();
    const write = (password: string) =>
      writeFileSync(
        join(cwd, "loadform.yaml"),
        `${head}vcsRoots: { v: { url: "https://u:${password}@x.example/r.git" } }\n`,
      );
    write(canary);
    await runCli(["apply", "--auto-approve"], { cwd });
    write(`${canary}2`);
    for (const args of [["plan"], ["plan", "--json"], ["drift"], ["drift", "--json"]]) {
      const { stdout } = await runCli(args, { cwd });
      expect(stdout).toContain("https://u:(secret changed)@x.example");
      expect(stdout).not.toContain(canary);
    }
  });
});

describe("a secret that is written out in the project", () => {
  it.each([
    ["a misspelt key", root(`passwrd: ${canary}`), "LF1101"],
    [
      "a misspelt key of its own line",
      `${head}vcsRoots:\n  v:\n    url: https://x\n    passwrd: ${canary}\n`,
      "LF1101",
    ],
    ["another case", `${head}vcsRoots:\n  v:\n    url: https://x\n    Password: ${canary}\n`, "LF1101"],
    [
      "a line one deeper after it",
      `${head}vcsRoots:\n  v:\n    url: https://x\n    password: ${canary}\n      username: u\n`,
      "LF1003",
    ],
    [
      "a continued text",
      `${head}vcsRoots:\n  v:\n    url: https://x\n    password:\n      ${canary}\n      username: u\n`,
      "LF1003",
    ],
    ["a tag", root(`vcsAuthType: Username, username: u, password: !!int ${canary}`), "LF1003"],
    [
      "a key twice",
      `${head}vcsRoots:\n  v:\n    url: https://x\n    password: ${canary}\n    password: ${canary}\n`,
      "LF1005",
    ],
    [
      "a bad key",
      `${head}testCases: { "bad key!": {} }\nvcsRoots: { v: { password: ${canary}, url: "https://x" } }\n`,
      "LF1105",
    ],
    ["service.apiKey", `project: p\nservice: { url: "memory:", apiKey: ${canary} }\n`, "LF1203"],
    [
      "a state's password",
      `${head}state: { backend: http, address: "https://u:${canary}@h/x", password: ${canary} }\n`,
      "LF1101",
    ],
    ["a state's address", `${head}state: { backend: http, address: "https://u:${canary}@127.0.0.1:1/x" }\n`, "LF1203"],
    [
      "a state's lock address",
      `${head}state: { backend: http, address: "http://127.0.0.1:1/x", lockAddress: "https://u:${canary}@127.0.0.1:1/x" }\n`,
      "LF1203",
    ],
    [
      "a state's connection string",
      `${head}state: { backend: postgres, url: "postgres://u:${canary}@127.0.0.1:1/db" }\n`,
      "LF1203",
    ],
    [
      "a password among a connection string's options",
      `${head}state: { backend: postgres, url: "postgres://127.0.0.1:1/db?password=${canary}" }\n`,
      "LF1203",
    ],
    ["a service's url", `project: p\nservice: { url: "https://u:${canary}@127.0.0.1:1" }\n`, "LF1104"],
    [
      "a variable in a url",
      `project: p\nvariables: { pw: { default: ${canary} } }\nservice: { url: "https://u:\${var:pw}@127.0.0.1:1" }\n`,
      "LF1104",
    ],
    ["a misspelt key of metadata", cloud(`cloudSecretAccesskey: ${canary}`), "LF1201"],
    [
      "a repository's url",
      `${head}vcsRoots: { v: { url: "https://u:${canary}@x.example/r.git" } }\n`,
      "Plan: 1 to create",
    ],
    [
      "a repository's url with an @ in its password",
      `${head}vcsRoots: { v: { url: "https://u:x@${canary}@x.example/r.git" } }\n`,
      "Plan: 1 to create",
    ],
    [
      "a default of an encrypted parameter",
      `${head}testCases: { t: { scenarios: { s: { script: "run();", paramsConfig: [{ name: token, encrypted: true, defaultValue: ${canary} }] } } } }\n`,
      "LF1203",
    ],
  ])("%s is printed by no command", async (_, yaml, expected) => {
    const printed = await printedOf(yaml);
    expect(printed).toContain(expected);
    expect(printed).not.toContain(canary);
  });
});
