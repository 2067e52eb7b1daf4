import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { typescriptStatements, writeTypeScript } from "../../src/authoring/write-typescript.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Written, WrittenObject } from "../../src/model/written.ts";
import { repository } from "../support/source-files.ts";

const plain = (value: string | number | boolean): Written => ({ is: "plain", value });

function object(address: string, members: Readonly<Record<string, Written>>, children: readonly WrittenObject[] = []) {
  const at = address.lastIndexOf("/");
  const [kind = "", key = ""] = address.slice(at + 1).split(/\.(.*)/s);
  const written: WrittenObject = {
    kind,
    key,
    address,
    ...(at > 0 && { parent: address.slice(0, at) }),
    members: Object.entries(members).map(([name, value]) => ({ name, value })),
    notes: [],
    children,
  };
  return written;
}

const browse = object("testCase.a/scenario.browse", { script: { is: "file", path: "load/a/browse.js" } });
const reference = (address: string): Written => ({ is: "reference", address });
const runners: Written = {
  is: "list",
  items: [
    { is: "map", members: [{ name: "provider", value: { is: "map", members: [{ name: "id", value: plain(0) }] } }] },
  ],
};
const load = { durationSecs: plain(60), concurrentClients: plain(1), providers: runners };

describe("a program that we write", () => {
  test("names what it made before, and spells keys for what comes later", () => {
    const smoke = object("testCase.a/configuration.smoke", { scenario: reference(browse.address) });
    const far = object("testCase.a/configuration.far", { scenario: reference("testCase.b/scenario.x") });
    const text = typescriptStatements([object("testCase.a", {}, [browse, smoke, far])], kinds).statements.join("\n");
    expect(text).toContain("scenario: aBrowse,");
    expect(text).toContain('scenario: "b/x",');
  });

  test("gives every object a word of its own", () => {
    const keys = ["a-b", "a.b", "aB", "1", "new"];
    const cases = keys.map((key) => object(`testCase.${key}`, {}, [object(`testCase.${key}/gateway.g`, {})]));
    const text = typescriptStatements(cases, kinds).statements.join("\n");
    expect([...text.matchAll(/const (\S+) =/g)].map(([, name]) => name)).toEqual([
      "aBTestCase",
      "aBTestCase2",
      "aBTestCase3",
      "_1TestCase",
      "newTestCase",
    ]);
  });

  test("passes the strict compiler", () => {
    const folder = mkdtempSync(join(repository, "test/import/.program-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const texts = { name: plain('quo"te\n`${x}` \u2028 */'), description: plain("$${env:X}") };
    const schedule = object("testCase.a/configuration.smoke/schedule.single", {
      scheduleType: plain("Single"),
      nextScheduled: plain("2099-01-01T00:00:00.000Z"),
    });
    const smoke = object("testCase.a/configuration.smoke", { scenario: reference(browse.address), ...load }, [
      schedule,
    ]);
    const secret = object("vcsRoot.git", {
      url: plain("https://x.test/a.git"),
      vcsAuthType: plain("Username"),
      password: { is: "environment", name: "GIT_PASSWORD" },
    });
    const settings = { project: "a", service: { url: "memory:" }, variables: { "x-y": { default: 1 } } };
    const program = writeTypeScript([secret, object("testCase.a", texts, [browse, smoke])], { kinds, settings });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "loadform.config.ts"), program);
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../../tsconfig.json", include: ["loadform.config.ts"], exclude: [] }),
    );
    const tsc = spawnSync(join(repository, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
    expect(tsc.stdout.split("\n").filter((line) => line.includes("loadform.config.ts"))).toEqual([]);
  });
});
