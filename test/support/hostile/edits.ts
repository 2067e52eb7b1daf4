import type { Maker } from "./declare.ts";
import * as make from "./declare.ts";
import { type Body, type Declared, declaredIn, isBelow, isBody, nameOf, sectionOf } from "./document.ts";
import { pick } from "./draw.ts";

/** Ways to edit a document. */
export const editWays = [
  "change",
  "rename",
  "swap",
  "rekey",
  "rekey unsaid",
  "drop",
  "add",
  "unset",
  "replace",
] as const;

/** One edit, as plain data. */
export interface Edit {
  readonly way: (typeof editWays)[number];
  readonly at: number;
}

/** What an edit did to the identity of objects. */
export interface Edited {
  readonly moved?: { readonly from: string; readonly to: string };
  /** Another key of what may be the same object or a new one. */
  readonly rekeyed?: { readonly from: string; readonly to: string };
  /** Addresses that may be made anew, with what is below them. */
  readonly anew: readonly string[];
}

/** Edits a document in place. */
export function editDocument(document: Body, { way, at }: Edit, maker: Maker): Edited {
  const target = pick(
    declaredIn(document).filter((each) => isOpenTo(way, each)),
    at,
  );
  if (target === undefined) return { anew: [] };
  switch (way) {
    case "change":
      change(document, target, maker);
      return { anew: [] };
    case "rename":
      target.body["name"] = `${target.kind} renamed ${maker.mark()}`;
      return { anew: [] };
    case "swap":
      swap(document, target);
      return { anew: [] };
    case "rekey":
    case "rekey unsaid":
      return rekey(document, target, { key: `k${maker.mark()}`, isSaid: way === "rekey" });
    case "drop":
      drop(document, target);
      return { anew: [target.address] };
    case "add":
      add(document, target, maker);
      return { anew: [] };
    case "unset":
      unset(target, at);
      return { anew: [] };
    case "replace":
      return replace(document, target, maker);
  }
}

const renamable: ReadonlySet<string> = new Set([
  "testCase",
  "scenario",
  "dataStore",
  "configuration",
  "gateway",
  "vcsRoot",
  "provider",
]);
const replaceable: ReadonlySet<string> = new Set(["gateway", "provider"]);

function isOpenTo(way: Edit["way"], { kind }: Declared): boolean {
  if (way === "rename" || way === "swap") return renamable.has(kind);
  if (way === "replace") return replaceable.has(kind);
  if (way === "rekey unsaid") return kind !== "testCase";
  return way === "unset" || way === "drop" || way === "rekey" || kind !== "tag";
}

type Change = (of: {
  readonly body: Body;
  readonly mark: number;
  readonly document: Body;
  readonly maker: Maker;
}) => void;

const changes: Readonly<Record<string, Change>> = {
  testCase: ({ body, mark }) => Object.assign(body, { description: `about ${mark}` }),
  scenario: ({ body, mark, maker }) =>
    Object.assign(
      body,
      maker.draw.of<Body>([{ script: `// changed ${mark}` }, { init: `init(${mark})` }, { paramsConfig: [] }]),
    ),
  dataStore: ({ body, mark }) => Object.assign(body, { contents: `changed,${mark}\n` }),
  configuration: ({ body, mark, document, maker }) => {
    if (maker.draw.once(3)) return Object.assign(body, { providers: [make.runner(maker, document)] });
    for (const name of Object.keys(make.profile(maker, mark)).concat(profileFields)) delete body[name];
    return Object.assign(body, make.profile(maker, mark));
  },
  schedule: ({ body, mark, maker }) => {
    for (const name of Object.keys(body)) delete body[name];
    Object.assign(body, make.schedule(maker, mark));
  },
  vcsRoot: ({ body, mark, maker }) => {
    const { name } = body;
    for (const each of Object.keys(body)) delete body[each];
    Object.assign(body, make.vcsRoot(maker, mark));
    if (name !== undefined) body["name"] = name;
    else delete body["name"];
  },
  provider: ({ body, mark }) => {
    const metadata = sectionOf(body, "metadata");
    if (metadata["cloudSecretAccessKey"] !== undefined) metadata["cloudSecretAccessKey"] = `\${env:KEY_${mark}}`;
    metadata["zone"] = `z${mark}`;
  },
  region: ({ body, mark }) => Object.assign(body, { description: `rack ${mark}` }),
};

const profileFields = [
  "profileType",
  "durationSecs",
  "iterations",
  "concurrentClients",
  "startConcurrentClients",
  "step",
  "rampupSecs",
  "triggers",
];

function change(document: Body, { kind, body }: Declared, maker: Maker): void {
  changes[kind]?.({ body, mark: maker.mark(), document, maker });
}

/** The names of two siblings, each the other's. */
function swap(document: Body, one: Declared): void {
  const other = declaredIn(document).find(
    ({ address, kind, parent }) => address !== one.address && kind === one.kind && parent === one.parent,
  );
  if (other === undefined) return;
  const names = [nameOf(one), nameOf(other)] as const;
  [other.body["name"], one.body["name"]] = names;
}

const optional: ReadonlySet<string> = new Set([
  "description",
  "init",
  "teardown",
  "iterationSleepSecs",
  "imageDiffMode",
  "scriptParams",
  "exclusions",
  "active",
  "branch",
]);

function unset({ body }: Declared, at: number): void {
  const name = pick(
    Object.keys(body).filter((each) => optional.has(each)),
    at,
  );
  if (name !== undefined) delete body[name];
}

function replace(document: Body, { kind, body, address, key }: Declared, maker: Maker): Edited {
  if (kind === "gateway") {
    body["url"] = `https://replaced-${maker.mark()}.test`;
    return { anew: [address] };
  }
  const regions = declaredIn(document).filter((each) => each.kind === "region" && each.body["provider"] === key);
  if (regions.length > 0) return { anew: [] };
  const fresh = make.provider(maker, maker.mark(), body["providerType"] === "Shared" ? "CloudOnDemand" : "Shared");
  Object.assign(body, { providerType: fresh["providerType"], metadata: fresh["metadata"] });
  withoutProvider(document, (runner) => runner["provider"] === key);
  return { anew: [address] };
}

/** Another key, with every reference led there. A name that was the key is declared from then on. */
function rekey(
  document: Body,
  { address, kind, key: former, body, section, parent }: Declared,
  { key, isSaid }: { readonly key: string; readonly isSaid: boolean },
): Edited {
  if (kind !== "schedule" && body["name"] === undefined) body["name"] = former;
  const entries = Object.entries(section).map(([each, value]) => [each === former ? key : each, value] as const);
  for (const each of Object.keys(section)) delete section[each];
  for (const [each, value] of entries) section[each] = value;
  const to = parent === undefined ? `${kind}.${key}` : `${parent}/${kind}.${key}`;
  for (const each of declaredIn(document)) lead(each, { kind, parent, former, key });
  const rekeyed = { from: address, to };
  return isSaid && kind !== "tag" ? { moved: rekeyed, anew: [] } : { rekeyed, anew: [address] };
}

interface Led {
  readonly kind: string;
  readonly parent: string | undefined;
  readonly former: string;
  readonly key: string;
}

function lead({ kind, parent, body }: Declared, led: Led): void {
  const { former, key } = led;
  const swapped = (list: unknown) => ((list ?? []) as string[]).map((each) => (each === former ? key : each));
  if (kind === "configuration" && led.kind === "scenario" && parent === led.parent && body["scenario"] === former)
    body["scenario"] = key;
  if (kind === "scenario" && led.kind === "tag" && body["tags"] !== undefined) body["tags"] = swapped(body["tags"]);
  if (kind === "region" && led.kind === "provider" && body["provider"] === former) body["provider"] = key;
  if (kind !== "configuration") return;
  for (const runner of (body["providers"] ?? []) as Body[]) {
    if (led.kind === "provider" && runner["provider"] === former) runner["provider"] = key;
    if (led.kind === "region") runner["regions"] = swapped(runner["regions"]);
  }
}

/** Takes an object out, with what cannot be without it. */
function drop(document: Body, target: Declared): void {
  const gone = [target.address];
  delete target.section[target.key];
  const { kind, key, parent } = target;
  for (const each of declaredIn(document)) {
    const isUser =
      each.kind === "configuration" && kind === "scenario" && each.parent === parent && each.body["scenario"] === key;
    const isRegion = each.kind === "region" && kind === "provider" && each.body["provider"] === key;
    if (isUser || isRegion) {
      gone.push(each.address);
      delete each.section[each.key];
    }
  }
  const isGone = (address: string) => gone.some((top) => isBelow(address, top));
  for (const { kind: of, body } of declaredIn(document)) {
    if (of === "scenario" && body["tags"] !== undefined)
      body["tags"] = ((body["tags"] ?? []) as string[]).filter((tag) => !isGone(`tag.${tag}`));
  }
  withoutProvider(document, (runner) => {
    const regions = (runner["regions"] ?? []) as string[];
    const isOwn = !isBody(runner["provider"]);
    return (
      (isOwn && isGone(`provider.${String(runner["provider"])}`)) || regions.some((each) => isGone(`region.${each}`))
    );
  });
}

/** Leads provider configurations to the public grid instead. */
function withoutProvider(document: Body, isWithout: (runner: Body) => boolean): void {
  for (const { kind, body } of declaredIn(document))
    if (kind === "configuration")
      body["providers"] = ((body["providers"] ?? []) as Body[]).map((runner) =>
        isWithout(runner) ? { provider: { id: 0 }, regions: ["cloud-us-east-1"] } : runner,
      );
}

/** Another object beside one, or below it. */
function add(document: Body, { kind, body }: Declared, maker: Maker): void {
  const mark = maker.mark();
  const put = (holder: Body, section: string, value: Body) => {
    sectionOf(holder, section)[`x${mark}`] = value;
  };
  const scenario = isBody(body["scenarios"]) ? Object.keys(body["scenarios"])[0] : undefined;
  if (kind === "testCase" && scenario !== undefined && maker.draw.once(3))
    put(body, "configurations", make.configuration(maker, mark, { key: scenario, document }));
  else if (kind === "testCase" && maker.draw.once(2)) put(body, "gateways", make.gateway(maker, mark));
  else if (kind === "testCase") put(body, "scenarios", make.scenario(maker, mark, document));
  else if (kind === "scenario") put(body, "dataStores", make.dataStore(maker, mark));
  else if (kind === "configuration") put(body, "schedules", make.schedule(maker, mark));
  else if (kind === "vcsRoot") put(document, "vcsRoots", make.vcsRoot(maker, mark));
  else if (kind === "region") put(document, "regions", make.region(maker, mark, String(body["provider"])));
  else if (kind === "provider") put(document, "providers", make.provider(maker, mark, "CloudOnDemand"));
  else put(document, "testCases", make.testCase(maker, mark, document));
}
