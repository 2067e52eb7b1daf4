import fc from "fast-check";
import { kinds } from "../../src/kinds/index.ts";
import { childAddress } from "../../src/model/address.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { kindsByName } from "../../src/model/kind.ts";
import type { Lifecycle, Tree, TreeNode } from "../../src/model/tree.ts";
import { withoutInactive } from "../../src/model/variant.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { normalFields } from "./normal-fields.ts";
import { always, join, maybe, word } from "./random-fields.ts";
import { scheduleFields } from "./random-schedule.ts";

/** One object of a random project, with what stands below it. */
export interface Wish {
  readonly kind: string;
  readonly key: string;
  readonly fields: JsonObject;
  readonly sensitive?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly lifecycle?: Lifecycle;
  readonly below: readonly Wish[];
}

const byName = kindsByName(kinds);
const keys = ["a", "b", "c", "d"];
/** Distinct keys, each with a value. */
function keyed<T>(value: (key: string) => fc.Arbitrary<T>, max: number): fc.Arbitrary<readonly T[]> {
  return fc.subarray(keys.slice(0, max)).chain((chosen) => fc.tuple(...chosen.map(value)));
}

const name = (key: string, unique: boolean) =>
  (unique ? word.map((each) => `${each} ${key}`) : word).map((each): JsonObject => ({ name: each }));

const trigger = fc.record({
  conditions: fc.array(
    fc.record({
      metric: fc.constantFrom("firstReceivedMs", "outcome"),
      metricKey: fc.constantFrom("p95", "failure"),
      operator: fc.constantFrom("GT", "GTE"),
      threshold: fc.integer({ min: 1, max: 900 }),
      timePeriod: fc.constantFrom("LastMinute", "Execution"),
      valueType: fc.constant("Absolute"),
      isPercentage: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  actions: fc.constant([{ actionType: "StopExecution" }]),
});

const runner = join(
  fc.oneof(
    {
      weight: 4,
      arbitrary: always(
        "regions",
        fc.subarray(["cloud-us-east-1", "cloud-us-west-2", "cloud-eu-west-1"], { minLength: 1 }),
      ),
    },
    { weight: 1, arbitrary: maybe("numRegions", fc.integer({ min: 1, max: 2 })) },
  ),
  maybe("concurrentClients", fc.integer({ min: 1, max: 50 })),
  maybe("weight", fc.constantFrom(1, 2)),
).map((rest): JsonObject => ({ provider: { id: 0 }, ...rest }));

const basis = fc.oneof(
  always("durationSecs", fc.integer({ min: 10, max: 600 })),
  always("iterations", fc.integer({ min: 1, max: 9 })),
);

const profile = fc.oneof(
  join(
    basis,
    always("concurrentClients", fc.integer({ min: 1, max: 90 })),
    maybe("rampupSecs", fc.integer({ min: 0, max: 90 })),
    maybe("profileType", fc.constant("Flat")),
  ),
  join(
    always("durationSecs", fc.integer({ min: 10, max: 600 })),
    always("concurrentClients", fc.integer({ min: 20, max: 60 })),
  ).map((rest): JsonObject => ({ profileType: "Step", startConcurrentClients: 2, step: 5, ...rest })),
  join(
    always("durationSecs", fc.integer({ min: 10, max: 600 })),
    always("triggers", fc.array(trigger, { minLength: 1, maxLength: 2 })),
  ).map((rest): JsonObject => ({ profileType: "BreakingPoint", ...rest })),
);

function schedule(key: string): fc.Arbitrary<Wish> {
  return scheduleFields.map((fields) => ({ kind: "schedule", key, fields, below: [] }));
}

function configuration(key: string, scenarios: readonly string[]): fc.Arbitrary<Wish> {
  const fields = join(
    name(key, false),
    always(
      "scenario",
      fc.constantFrom(...scenarios).map((ref): Json => ({ ref })),
    ),
    always(
      "providers",
      runner.map((each): Json => [each]),
    ),
    profile,
    maybe("iterationSleepSecs", fc.integer({ min: 1, max: 30 })),
    maybe("scriptParams", fc.constantFrom<Json>('{"a": "1"}', { a: "1", b: "2" }, {})),
    maybe("imageDiffMode", fc.constantFrom("None", "PreviousExecution")),
  );
  return fc
    .tuple(fields, keyed(schedule, 2))
    .map(([own, below]) => ({ kind: "configuration", key, fields: own, below }));
}

function dataStore(key: string): fc.Arbitrary<Wish> {
  const contents = fc.constantFrom("u,p\n1,2\n", "u,p\r\nä,2\r\n3,4\r\n", "x\n", "");
  return fc
    .tuple(name(key, true), contents)
    .map(([own, bytes]) => ({ kind: "dataStore", key, fields: { ...own, contents: bytes }, below: [] }));
}

function scenario(key: string): fc.Arbitrary<Wish> {
  const fields = join(
    name(key, false),
    always("script", fc.constantFrom("http.get('/')", "// other\nhttp.get('/b')\n", "x = `${y}`")),
    maybe("init", fc.constantFrom("init()", "start()\r\n")),
    maybe("scriptType", fc.constant("Code")),
    maybe(
      "paramsConfig",
      fc.constantFrom<Json>([{ name: "u", required: true }], [{ name: "t", encrypted: true }, { name: "u" }], []),
    ),
    maybe(
      "tags",
      fc.subarray(["nightly", "smoke"]).map((each): Json => each),
    ),
  );
  return fc.tuple(fields, keyed(dataStore, 2)).map(([own, below]) => ({ kind: "scenario", key, fields: own, below }));
}

function gateway(key: string): fc.Arbitrary<Wish> {
  const fields = join(name(key, false), always("url", fc.constantFrom("https://a.test", "https://b.test/x")));
  return fields.map((own) => ({ kind: "gateway", key, fields: own, below: [] }));
}

function testCase(key: string): fc.Arbitrary<Wish> {
  const own = join(name(key, true), maybe("description", fc.constantFrom("text", "", "**bold**\nline")));
  return keyed(scenario, 3).chain((scenarios) => {
    const addresses = scenarios.map((each) => `testCase.${key}/scenario.${each.key}`);
    const configurations =
      addresses.length === 0 ? fc.constant([]) : keyed((each) => configuration(each, addresses), 3);
    return fc.tuple(own, keyed(gateway, 2), configurations).map(([fields, gateways, confs]) => ({
      kind: "testCase",
      key,
      fields,
      below: [...scenarios, ...gateways, ...confs],
    }));
  });
}

function vcsRoot(key: string): fc.Arbitrary<Wish> {
  const plain = fc.constantFrom<JsonObject>(
    { url: "https://git.test/a.git" },
    { url: "https://git.test/a.git", branch: "main", vcsType: "git" },
  );
  const withPassword = fc.constantFrom("hunter2-one", "hunter2-two").map(
    (password): JsonObject => ({
      url: "https://git.test/b.git",
      vcsAuthType: "Username",
      username: "ci",
      password,
    }),
  );
  return fc.tuple(name(key, false), fc.oneof(plain, withPassword)).map(([own, rest]) => ({
    kind: "vcsRoot",
    key,
    fields: { ...own, ...rest },
    ...("password" in rest && { sensitive: ["password"] }),
    below: [],
  }));
}

function provider(key: string): fc.Arbitrary<Wish> {
  const cloud = fc.constantFrom("secret-key-1", "secret-key-2").map(
    (secret): Omit<Wish, "kind" | "key" | "below"> => ({
      fields: {
        providerType: "CloudOnDemand",
        metadata: { cloudAccessKeyId: "access-key-id", cloudSecretAccessKey: secret },
      },
      sensitive: ["metadata.cloudAccessKeyId", "metadata.cloudSecretAccessKey"],
    }),
  );
  const shared = fc.constant({ fields: { providerType: "Shared" } });
  return fc
    .tuple(name(key, false), fc.oneof(cloud, shared))
    .map(([own, rest]) => ({ kind: "provider", key, ...rest, fields: { ...own, ...rest.fields }, below: [] }));
}

/** A random project: every kind, every variant, references, secrets, texts and files. */
export const randomProject: fc.Arbitrary<readonly Wish[]> = fc
  .tuple(keyed(vcsRoot, 2), keyed(provider, 2), keyed(testCase, 3), fc.subarray(["nightly", "smoke"]))
  .chain(([roots, providers, cases, tags]) => {
    const grids = providers.filter((each) => each.fields["providerType"] === "Shared");
    const tagWishes = tags.map((tag): Wish => ({ kind: "tag", key: tag, fields: { name: tag }, below: [] }));
    const regions =
      grids.length === 0
        ? fc.constant([])
        : keyed((key) => maybe("description", word).map((rest): Wish => regionWish(key, grids[0]?.key ?? "", rest)), 2);
    return regions.map((chosen) => [...tagWishes, ...roots, ...providers, ...chosen, ...cases]);
  });

function regionWish(key: string, grid: string, rest: JsonObject): Wish {
  return {
    kind: "region",
    key,
    fields: { name: `dc-${key}`, provider: { ref: `provider.${grid}` }, ...rest },
    below: [],
  };
}

/** Wishes as the tree that loading a project gives. */
export function toTree(wishes: readonly Wish[]): Tree {
  const nodes = new Map<string, TreeNode>();
  const contents = new Map<string, string | Uint8Array>();
  const add = (wish: Wish, parent: string | undefined): void => {
    const handle = childAddress(parent, wish.kind, wish.key);
    nodes.set(handle, {
      handle,
      kind: wish.kind,
      key: wish.key,
      ...(parent === undefined ? {} : { parent }),
      fields: normalOf(wish, contents),
      ...(wish.sensitive && { sensitive: wish.sensitive, sources: wish.fields }),
      ...(wish.dependsOn && { dependsOn: wish.dependsOn }),
      ...(wish.lifecycle && { lifecycle: wish.lifecycle }),
    });
    for (const child of wish.below) add(child, handle);
  };
  for (const wish of wishes) add(wish, undefined);
  return { nodes, contents };
}

function normalOf(wish: Wish, contents: Map<string, string | Uint8Array>): JsonObject {
  const kind = byName.get(wish.kind)!;
  const fields: Record<string, Json> = { ...normalFields(kind.fields, wish.fields) };
  for (const [field, value] of Object.entries(fields)) {
    const kept = kind.fields[field]?.content;
    if (kept === undefined || typeof value !== "string") continue;
    const content = kept === "bytes" ? new TextEncoder().encode(value) : value;
    const hash = sha256(content);
    contents.set(hash, content);
    fields[field] = { $content: hash, bytes: Buffer.byteLength(value) };
  }
  return withoutInactive(kind, fields);
}
