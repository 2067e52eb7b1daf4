// merge: a compiler reads all of our types; write-typescript.test.ts has the words, and test/import runs such programs.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeTypeScript } from "../../src/authoring/write-typescript.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Written } from "../../src/model/written.ts";
import { repository } from "../support/source-files.ts";
import { writtenObject } from "../support/written-object.ts";

const plain = (value: string | number | boolean): Written => ({ is: "plain", value });

const browse = writtenObject("testCase.a/scenario.browse", { script: { is: "file", path: "load/a/browse.js" } });
const reference = (address: string): Written => ({ is: "reference", address });
const runners: Written = {
  is: "list",
  items: [
    { is: "map", members: [{ name: "provider", value: { is: "map", members: [{ name: "id", value: plain(0) }] } }] },
  ],
};
const load = { durationSecs: plain(60), concurrentClients: plain(1), providers: runners };

test("a program that we write passes the strict compiler", () => {
  const folder = mkdtempSync(join(repository, "test/import/.program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const texts = { name: plain('quo"te\n`${x}` \u2028 */'), description: plain("$${env:X}") };
  const schedule = writtenObject("testCase.a/configuration.smoke/schedule.single", {
    scheduleType: plain("Single"),
    nextScheduled: plain("2099-01-01T00:00:00.000Z"),
  });
  const smoke = writtenObject("testCase.a/configuration.smoke", { scenario: reference(browse.address), ...load }, [
    schedule,
  ]);
  const secret = writtenObject("vcsRoot.git", {
    url: plain("https://x.test/a.git"),
    vcsAuthType: plain("Username"),
    password: { is: "environment", name: "GIT_PASSWORD" },
  });
  const settings = { project: "a", service: { url: "memory:" }, variables: { "x-y": { default: 1 } } };
  const program = writeTypeScript([secret, writtenObject("testCase.a", texts, [browse, smoke])], { kinds, settings });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "loadform.config.ts"), program);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../../tsconfig.json", include: ["loadform.config.ts"], exclude: [] }),
  );
  const tsc = spawnSync(join(repository, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  expect(tsc.stdout.split("\n").filter((line) => line.includes("loadform.config.ts"))).toEqual([]);
});
