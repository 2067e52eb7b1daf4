import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { applyProject } from "../../src/project/apply-project.ts";
import { planProject } from "../../src/project/plan-project.ts";
import type { System } from "../../src/project/system.ts";
import { processSystem } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { isDeep } from "../support/deep.ts";

type Files = Readonly<Record<string, string>>;

const caseFile = (key: string) => `testCases:
  ${key}:
    description: of ${key}
    scenarios:
      browse: { script: "\${file:${key}.js}", tags: [nightly] }
      idle: { script: "sleep(1)" }
    gateways: { g: { url: "https://a.example.com" } }
    configurations:
      nightly: { scenario: browse, concurrentClients: 5, durationSecs: 600, rampupSecs: 10, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }
`;
const keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
const original: Files = {
  ...Object.fromEntries(keys.map((key) => [`load/${key}.yaml`, caseFile(key)])),
  ...Object.fromEntries(keys.map((key) => [`load/${key}.js`, `step("${key}")`])),
  "load/shared.yaml": "providers: { grid: { providerType: Shared } }\ntags: { nightly: {} }\n",
};

let service: ReturnType<typeof createService>;
let folder = "";
let cache = "";
let memory = "";
let env: Record<string, string> = {};

beforeAll(async () => {
  service = createService({ clock: { mode: "real" } });
  const { url } = await service.listen();
  folder = await mkdtemp(join(tmpdir(), "loadform-part-"));
  cache = await mkdtemp(join(tmpdir(), "loadform-part-cache-"));
  await chmod(cache, 0o700);
  env = { LOADFORM_API_KEY: service.apiKey, XDG_CACHE_HOME: cache };
  const main = `project: p
service: { url: "${url}", organization: 1 }
state: { backend: local, path: state.json }
include: ["load/*.yaml"]
environments: { dev: {} }
`;
  await writeFile(join(folder, "loadform.yaml"), main);
  await mkdir(join(folder, "load"));
  await write(original);
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const flags = { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true };
  const applied = await applyProject(flags, system(), { ...ui, signal: new AbortController().signal });
  expect([applied.status, applied.diagnostics]).toEqual(["applied", []]);
  await planned(true);
  const [root = ""] = await readdir(join(cache, "loadform"));
  memory = await readFile(join(cache, "loadform", root, "unchanged-plan"), "utf8");
}, 60_000);
afterAll(async () => {
  await service.close();
  for (const path of [folder, cache]) await rm(path, { recursive: true, force: true });
});
beforeEach(async () => {
  await write(original);
  await remember(memory);
});

const system = (): System => ({
  ...processSystem("test", { program: "this build" }),
  env,
  cwd: folder,
  now: () => Date.parse("2026-11-20T10:00:00.000Z"),
});

async function write(files: Files): Promise<void> {
  for (const name of await readdir(join(folder, "load"))) await rm(join(folder, "load", name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

async function remember(text: string): Promise<void> {
  const [root = ""] = await readdir(join(cache, "loadform"));
  await writeFile(join(cache, "loadform", root, "unchanged-plan"), text);
}

/** A plan, with what was remembered of the last one or without. */
async function planned(answerOnly: boolean) {
  const { plan, diagnostics, blocked, contents, requests } = await planProject(
    { dir: ".", vars: {}, answerOnly },
    system(),
  );
  const hashes = [...JSON.stringify(plan ?? {}).matchAll(/\$content":"(\w+)/g)].map(([, hash = ""]) => hash);
  return { plan, diagnostics, blocked, requests, texts: hashes.map((hash) => contents(hash)) };
}

const edit =
  (name: string, from: string, to: string) =>
  (files: Files): Files => {
    expect(files[name]).toContain(from);
    return { ...files, [name]: (files[name] ?? "").replace(from, to) };
  };

/** Changes of files; `alone`: the test cases of the changed files are looked at alone. */
const edits: Readonly<Record<string, { readonly alone: boolean; readonly edit: (files: Files) => Files }>> = {
  "a field": { alone: true, edit: edit("load/a.yaml", "rampupSecs: 10", "rampupSecs: 11") },
  "a script's file": { alone: true, edit: edit("load/b.js", "step", "run") },
  "a script in the file": { alone: true, edit: edit("load/c.yaml", "sleep(1)", "sleep(2)") },
  "a comment": { alone: true, edit: edit("load/c.yaml", "testCases:", "# all\ntestCases:") },
  "a name": { alone: false, edit: edit("load/d.yaml", "description:", "name: other\n    description:") },
  "a taken name": { alone: false, edit: edit("load/d.yaml", "description:", "name: a\n    description:") },
  "a key": { alone: false, edit: edit("load/d.yaml", "  d:", "  d2:") },
  "a reference": { alone: false, edit: edit("load/e.yaml", "scenario: browse", "scenario: idle") },
  "a tag": { alone: false, edit: edit("load/e.yaml", "tags: [nightly]", "tags: []") },
  "an object more": {
    alone: false,
    edit: edit("load/f.yaml", "gateways: {", 'gateways: { h: { url: "https://b.example.com" },'),
  },
  "an object less": {
    alone: false,
    edit: edit("load/f.yaml", '    gateways: { g: { url: "https://a.example.com" } }\n', ""),
  },
  "a file more": { alone: false, edit: (files) => ({ ...files, "load/z.yaml": "testCases: { z: {} }\n" }) },
  "a file less": { alone: false, edit: ({ "load/g.yaml": _, ...files }) => files },
  "another kind": {
    alone: false,
    edit: edit("load/shared.yaml", "providerType: Shared", "providerType: Shared, description: d"),
  },
  "another kind beside": { alone: false, edit: edit("load/h.yaml", "testCases:", "tags: { weekly: {} }\ntestCases:") },
  "an invalid value": { alone: false, edit: edit("load/i.yaml", "concurrentClients: 5", "concurrentClients: many") },
  "a mistake in YAML": { alone: false, edit: edit("load/i.yaml", "testCases:", "testCases: [") },
  "a missing script": { alone: false, edit: ({ "load/j.js": _, ...files }) => files },
  "a protected object": { alone: false, edit: edit("load/k.yaml", "description:", "protect: true\n    description:") },
  "a test case in two files": {
    alone: false,
    edit: edit(
      "load/k.yaml",
      "testCases:",
      "testCases:\n  l: { gateways: { more: { url: 'https://c.example.com' } } }",
    ),
  },
};

const tampered = () => JSON.stringify({ ...(JSON.parse(memory) as object), noop: 4711 });

describe("a plan after a change of a file", () => {
  test.each(Object.entries(edits))("is the plan of everything: %s", async (_, { alone, edit }) => {
    await write(edit(original));
    const now = await planned(true);
    expect(now).toEqual(await planned(false));
    await remember(tampered());
    const noop = (await planned(true)).plan?.summary.noop ?? 0;
    expect(noop > 4000).toBe(alone);
  });

  const names = Object.keys(edits);
  const all = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
  const pairs = all.filter((_, index) => isDeep || index % 5 === 0);
  test("and after two of them", async () => {
    for (const [one, other] of pairs) {
      let files: Files;
      try {
        files = edits[other]!.edit(edits[one]!.edit(original));
      } catch {
        continue;
      }
      await remember(memory);
      await write(files);
      expect(await planned(true), `${one}, ${other}`).toEqual(await planned(false));
    }
  });

  test("and of an object outside", async () => {
    await write(edits["a field"]!.edit(original));
    const api = createClient({ url: JSON.parse(memory).url as string, apiKey: service.apiKey });
    const listed = await api.call("GET /test-cases", { query: { down: true } });
    const gateway = listed.find(({ name }) => name === "l")?.gateways?.[0];
    await api.call("DELETE /gateways/:id", { params: { id: gateway?.id ?? 0 } });
    const now = await planned(true);
    expect(now.plan?.summary).toMatchObject({ create: 1, update: 1 });
    expect(now).toEqual(await planned(false));
    await api.close();
  });
});
