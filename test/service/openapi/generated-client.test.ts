// merge: a generated client is compiled and calls every route
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../../src/service/index.ts";
import { repository } from "../../support/source-files.ts";
import { start } from "../support/rig.ts";

const run = promisify(execFile);
const workspace = join(repository, "test/fixtures/openapi-client");
const packages = createRequire(join(workspace, "package.json"));
/** Our own one, which takes a fraction of the time of the generator's. */
const compiler = join(repository, "node_modules/.bin/tsc");
const generator = join(dirname(packages.resolve("openapi-typescript/package.json")), "bin/cli.js");

const tsconfig = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    rewriteRelativeImportExtensions: true,
    outDir: "out",
  },
  include: ["*.ts"],
};

let folder: string;
let service: Service;
let url: string;

/** The types that openapi-typescript makes of the running service's document, beside the program that uses them. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-client-"));
  const refs = { "https://git.test/load.git": ["refs/heads/main"] };
  service = createService({ clock: { mode: "frozen", now: start }, settings: { refs } });
  url = (await service.listen(0)).url;
  const response = await fetch(`${url}/_loadform/openapi.json`, { headers: { "x-api-key": service.apiKey } });
  await writeFile(join(folder, "openapi.json"), await response.text());
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  await copyFile(join(workspace, "drive-service.ts"), join(folder, "drive-service.ts"));
  await writeFile(join(folder, "misread.ts"), misreading);
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  await run(process.execPath, [generator, "openapi.json", "--output", "service.ts"], { cwd: folder });
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the compiler complains about. */
async function complaints(): Promise<string> {
  try {
    return (await run(compiler, ["--project", "tsconfig.json"], { cwd: folder })).stdout;
  } catch (failed) {
    return String((failed as { readonly stdout?: string }).stdout);
  }
}

/** Beside the program: one compiler says what is wrong in either. */
const misreading = `import type { operations } from "./service.ts";
type Answer = operations["listTestCases"]["responses"]["200"]["content"]["application/json"];
export const name = (all: Answer): number => all[0]?.name ?? 0;
`;

describe("a client that openapi-typescript generates", () => {
  it("has types that the compiler accepts, wrong calls and a misread answer not among them, and drives the service", async () => {
    // Lines that begin with a space explain the one before.
    expect((await complaints()).split("\n").filter((line) => /^\S/.test(line))).toEqual([
      expect.stringMatching(/^misread\.ts\(3,\d+\): error TS2322/),
    ]);
    const { stdout } = await run(process.execPath, ["out/drive-service.js", url, service.apiKey], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      durations: [60, 90, 90],
      refs: ["refs/heads/main"],
      hosts: ["i-1", "i-2"],
      capacity: [["dc", 2]],
      histories: [0, 0, 0, 0, 0, 0, 0, 0],
      images: ["eu-west-1"],
      runs: [true],
      refused: ["INVALID", "name", "org"],
      missing: "NOT_FOUND",
      deleted: "Checkout",
      left: 0,
    });
    expect(new Set(service.requests.map(({ route }) => route)).size).toBeGreaterThanOrEqual(12);
  });
});
