import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unwritableObjects } from "../../src/import/prove-import.ts";
import { kinds } from "../../src/kinds/index.ts";
import { type WrittenObject, writtenPlain } from "../../src/model/written.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";

const object = (
  address: string,
  members: readonly string[],
  children: readonly WrittenObject[] = [],
): WrittenObject => ({
  kind: address.slice(address.lastIndexOf("/") + 1).split(".")[0] ?? "",
  key: address.slice(address.lastIndexOf(".") + 1),
  address,
  members: members.map((name) => ({ name, value: writtenPlain("x") })),
  notes: [],
  children,
});

test("of objects that make a file unreadable, those are found that do so alone, and nothing above or beside them", () => {
  const bad = object("testCase.a/scenario.bad", ["description", "__proto__"]);
  const good = object("testCase.a/scenario.good", ["description"]);
  const above = object("testCase.a", ["description"], [good, bad]);
  const broken = object("testCase.b", ["", "name"], [object("testCase.b/scenario.c", [])]);
  const found = unwritableObjects([above, broken, object("testCase.c", ["name"])], kinds);
  expect(found.map((each) => each.object.address)).toEqual(["testCase.a/scenario.bad", "testCase.b"]);
  expect(found[0]?.why).toContain("not usable as a key");
  expect(unwritableObjects([good], kinds)).toEqual([]);
});

test("says that objects of files that are there have secrets, which the next apply sends", async () => {
  const root = freshFolder();
  const env = { LOADFORM_URL: `memory:${join(root, "service.json")}`, REPO_PASSWORD: "hunter2-repo" };
  const [live, own] = ["live", "own"].map((name) => join(root, name)) as [string, string];
  mkdirSync(live);
  const repo =
    '{ name: Repo, url: "https://g/x.git", vcsAuthType: Username, username: ci, password: "${env:REPO_PASSWORD}" }';
  writeFileSync(join(live, "loadform.yaml"), `project: live\nvcsRoots: { repo: ${repo} }\ntags: {}\n`);
  expect((await runCli(["apply", live, "--auto-approve"], { env })).code).toBe(0);
  const told = async (...flags: string[]) => (await runCli(["import", own, "--all", ...flags], { env })).stdout;
  expect(await told()).toContain("Once the value below is set, a plan of them sends it and changes nothing else.");
  const again =
    "A plan of them sends the secrets of 1 object that the files declared already and changes nothing else.";
  rmSync(join(own, ".loadform"), { recursive: true });
  expect(await told("--dry-run")).toContain(again);
  expect(await told()).toContain(again);
  expect((await runCli(["plan", own], { env })).stdout).toContain("1 to update");
});
