import type { Body, Value } from "./document.ts";
import type { Draw } from "./draw.ts";

/** Makes objects for documents; every one carries a number of its own, so that no two are alike. */
export interface Maker {
  readonly draw: Draw;
  readonly mark: () => number;
}

/** A maker that counts from a number. */
export function makerOf(draw: Draw, from = 1): Maker {
  let next = from;
  return { draw, mark: () => next++ };
}

/** Sets a field in `of - 1` of `of` cases. */
function maybe(draw: Draw, of: number, fields: () => Body): Body {
  return draw.once(of) ? {} : fields();
}

/** A section of so many objects. */
function section(count: number, prefix: string, make: (mark: number) => Body, maker: Maker): Body {
  const all = Array.from({ length: count }, () => maker.mark());
  return Object.fromEntries(all.map((mark) => [`${prefix}${mark}`, make(mark)]));
}

/** A name is mostly declared, else it is the key. */
const named = (draw: Draw, name: string) => maybe(draw, 4, () => ({ name }));

/** A project of all ten kinds. */
export function anyDocument(maker: Maker, size: number): Body {
  const { draw } = maker;
  const some = (most: number) => 1 + draw.below(Math.min(most, size));
  const shared = Object.entries(section(1, "p", (mark) => provider(maker, mark, "Shared"), maker));
  const cloud = Object.entries(section(draw.below(2), "p", (mark) => provider(maker, mark, "CloudOnDemand"), maker));
  const document: Body = {
    tags: section(some(2), "tag", (mark) => named(draw, `label ${mark}`), maker),
    vcsRoots: section(some(2), "v", (mark) => vcsRoot(maker, mark), maker),
    providers: Object.fromEntries([...shared, ...cloud]),
    regions: section(some(2), "r", (mark) => region(maker, mark, shared[0]?.[0] ?? ""), maker),
  };
  document["testCases"] = section(some(3), "t", (mark) => testCase(maker, mark, document), maker);
  return document;
}

/** A provider; of a cloud it has keys. */
export function provider({ draw }: Maker, mark: number, providerType: string): Body {
  const keys: Body = {
    cloudAccessKeyId: `\${env:KEY_ID_${mark}}`,
    cloudSecretAccessKey: `\${env:KEY_${mark}}`,
  };
  const metadata = { zone: `z${mark}`, ...(providerType === "CloudOnDemand" ? keys : {}) };
  return { ...named(draw, `grid ${mark}`), providerType, metadata };
}

/** A region of a shared provider. */
export function region({ draw }: Maker, mark: number, grid: string): Body {
  return { name: `dc-${mark}`, ...maybe(draw, 3, () => ({ description: `rack ${mark}` })), provider: grid };
}

/** A repository, by each way of authenticating. */
export function vcsRoot({ draw }: Maker, mark: number): Body {
  const ways: readonly [Body, ...Body[]] = [
    { url: `https://git.test/${mark}.git`, ...maybe(draw, 2, () => ({ branch: `branch-${mark}` })) },
    {
      url: `https://git.test/${mark}.git`,
      vcsAuthType: "Username",
      username: `ci-${mark}`,
      password: `\${env:PASSWORD_${mark}}`,
    },
    {
      url: `ssh://git@git.test/${mark}.git`,
      vcsAuthType: "PrivateKey",
      privateKeyName: `id-${mark}`,
      privateKey: `\${env:PRIVATE_${mark}}`,
    },
  ];
  return { ...named(draw, `repository ${mark}`), ...draw.of(ways) };
}

/** A test case with what is below it. */
export function testCase(maker: Maker, mark: number, document: Body): Body {
  const { draw } = maker;
  const scenarios = section(1 + draw.below(2), "s", (each) => scenario(maker, each, document), maker);
  const key = Object.keys(scenarios)[0] ?? "";
  return {
    ...named(draw, `case ${mark}`),
    ...maybe(draw, 3, () => ({ description: `about **${mark}**\nline` })),
    scenarios,
    gateways: section(draw.below(2), "g", (each) => gateway(maker, each), maker),
    configurations: section(1 + draw.below(2), "c", (each) => configuration(maker, each, { key, document }), maker),
  };
}

/** A gateway. */
export function gateway({ draw }: Maker, mark: number): Body {
  return { ...named(draw, `gateway ${mark}`), url: `https://shop-${mark}.test` };
}

/** A scenario with its data stores. */
export function scenario(maker: Maker, mark: number, document: Body): Body {
  const { draw } = maker;
  const tags = Object.keys((document["tags"] as Body | undefined) ?? {}).filter(() => draw.once(2));
  const parameters: readonly [Value[], ...Value[][]] = [
    [{ name: "plain", required: true, defaultValue: `${mark}` }],
    [{ name: "token", encrypted: true, defaultValue: `\${env:TOKEN_${mark}}` }, { name: "plain" }],
    [],
  ];
  return {
    ...named(draw, `scenario ${mark}`),
    script: `// ${mark}\nhttp.get('/\${x}')\r\n`,
    ...maybe(draw, 2, () => ({ init: `init(${mark})` })),
    ...maybe(draw, 3, () => ({ teardown: `end(${mark})\n` })),
    ...maybe(draw, 2, () => ({ paramsConfig: draw.of(parameters) })),
    ...(tags.length > 0 && { tags }),
    dataStores: section(draw.below(2), "d", (each) => dataStore(maker, each), maker),
  };
}

/** A data store. */
export function dataStore({ draw }: Maker, mark: number): Body {
  return { ...named(draw, `data ${mark}.csv`), contents: draw.of([`u,p\n${mark},ä\r\n`, `x\n${mark}`, `${mark}\n\n`]) };
}

/** What a configuration may refer to. */
interface Around {
  /** Key of its scenario. */
  readonly key: string;
  readonly document: Body;
}

/** A configuration with its schedules. */
export function configuration(maker: Maker, mark: number, { key, document }: Around): Body {
  const { draw } = maker;
  return {
    ...named(draw, `load ${mark}`),
    scenario: key,
    ...profile(maker, mark),
    providers: [runner(maker, document)],
    ...maybe(draw, 2, () => ({ iterationSleepSecs: 11 + draw.below(20) })),
    ...maybe(draw, 2, () => ({ scriptParams: draw.of<Value>([{ a: `${mark}` }, `{"b": "${mark}"}`]) })),
    ...maybe(draw, 3, () => ({ imageDiffMode: draw.of(["None", "PreviousExecution"]) })),
    schedules: section(draw.below(3), "n", (each) => schedule(maker, each), maker),
  };
}

/** The fields of a load profile, of each type. */
export function profile({ draw }: Maker, mark: number): Body {
  const trigger = {
    conditions: [
      {
        metric: "firstReceivedMs",
        metricKey: "p95",
        operator: "GTE",
        threshold: 100 + mark,
        timePeriod: "LastMinute",
        valueType: "Absolute",
        isPercentage: false,
      },
    ],
    actions: [{ actionType: "StopExecution" }],
  };
  const flat = { concurrentClients: 1 + (mark % 50), ...maybe(draw, 2, () => ({ rampupSecs: draw.below(50) })) };
  return draw.of<Body>([
    { durationSecs: 10 + mark, ...flat, ...maybe(draw, 2, () => ({ triggers: [trigger] })) },
    { iterations: 1 + mark, ...flat },
    { profileType: "Step", durationSecs: 50 + mark, concurrentClients: 40, startConcurrentClients: 2, step: 5 },
    { profileType: "BreakingPoint", durationSecs: 50 + mark, concurrentClients: 9, triggers: [trigger] },
  ]);
}

/** A provider configuration: of the public grid, of ours with its regions, or of our cloud. */
export function runner({ draw }: Maker, document: Body): Body {
  const regions = Object.entries((document["regions"] as Body | undefined) ?? {}) as [string, Body][];
  const own = regions[0];
  const cloud = Object.entries((document["providers"] as Body | undefined) ?? {}).find(
    ([, body]) => (body as Body)["providerType"] === "CloudOnDemand",
  )?.[0];
  const more = { ...maybe(draw, 2, () => ({ concurrentClients: 3 })), ...maybe(draw, 3, () => ({ weight: 2 })) };
  if (own && draw.once(3)) return { provider: own[1]["provider"] ?? "", regions: [own[0]], ...more };
  if (cloud !== undefined && draw.once(3))
    return { provider: cloud, regions: ["eu-1", "eu-2"], numRegions: 2, ...more };
  return {
    provider: { id: 0 },
    regions: draw.of<Value[]>([["cloud-us-east-1"], ["cloud-us-west-2", "cloud-eu-west-1"]]),
    ...more,
  };
}

/** A schedule of each type and interval; every one at a time of its own. */
export function schedule({ draw }: Maker, mark: number): Body {
  const [hour, minute] = [mark % 24, (mark * 7) % 60];
  const recurring = { scheduleType: "Recurring" };
  const window = { recurringInterval: "Day", startHour: 1, endHour: 5 };
  const more = {
    ...maybe(draw, 2, () => ({ exclusions: [window] })),
    ...maybe(draw, 2, () => ({ active: draw.once(2) })),
  };
  return draw.of<Body>([
    { ...recurring, recurringInterval: "Minute", minute: 60 + mark, ...more },
    { ...recurring, recurringInterval: "Hour", hour: 1 + hour, minute, ...more },
    { ...recurring, recurringInterval: "Day", hour, minute, ...more },
    { ...recurring, recurringInterval: "Week", dayOfWeek: 1 + (mark % 7), hour, minute, ...more },
    { ...recurring, recurringInterval: "Month", day: 1 + (mark % 28), hour, minute, ...more },
    { scheduleType: "Single", nextScheduled: new Date(Date.UTC(2099, 0, 1, hour, minute, mark % 60)).toISOString() },
  ]);
}
