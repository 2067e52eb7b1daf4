import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { freshFolder } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";

const folder = join(repository, "editors/vscode");
const isInstalled = existsSync(join(folder, "node_modules/.bin/vsce"));
if (!isInstalled) console.log("SKIPPED: the extension is not packed, run npm ci in editors/vscode for it");

it("starts a command that there is", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { default: command } = manifest.contributes.configuration.properties["loadform.command"];
  expect(commandTable.map(({ name }) => name)).toContain(command.at(-1));
});

it.skipIf(!isInstalled)("packs", () => {
  const out = join(freshFolder(), "loadform.vsix");
  execFileSync("npm", ["run", "build"], { cwd: folder });
  execFileSync(join(folder, "node_modules/.bin/vsce"), ["package", "--no-dependencies", "--out", out], { cwd: folder });
  expect(statSync(out).size).toBeGreaterThan(10_000);
});
