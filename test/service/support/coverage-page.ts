import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type RouteDescriptor, routes } from "../../../src/api/routes.ts";
import { createRouter } from "../../../src/service/core/router.ts";
import { routesOfEngine } from "../../support/engine-story.ts";
import { citation } from "./decisions-page.ts";
import { makeRig } from "./rig.ts";

const tests = join(import.meta.dirname, "..");
const router = createRouter();

/** What is known of one route. */
export interface RouteEvidence {
  readonly key: string;
  readonly route: RouteDescriptor;
  /** The engine calls it in the life of an object of each kind. */
  readonly engine: boolean;
  /** Files of contract tests that call it. */
  readonly tests: readonly string[];
  /** Status of a call that it has to refuse; absent when there is none. */
  readonly refusal?: number;
}

/** Evidence for every route, in the order of the route table. */
export async function collectEvidence(): Promise<readonly RouteEvidence[]> {
  const engine = await routesOfEngine();
  const tested = testsByRoute();
  const rows: RouteEvidence[] = [];
  for (const [key, route] of Object.entries<RouteDescriptor>(routes)) {
    const refusal = await refusalOf(key, route);
    const own = { key, route, engine: engine.has(key), tests: tested.get(key) ?? [] };
    rows.push(refusal === undefined ? own : { ...own, refusal });
  }
  return rows;
}

/** docs/service-coverage.md, made of what the engine and the contract tests call. */
export function coveragePage(evidence: readonly RouteEvidence[]): string {
  const count = (test: (each: RouteEvidence) => boolean) => evidence.filter(test).length;
  const sections = [...new Set(evidence.map(({ route }) => route.section))];
  return `# Who drives the bundled service

For each route: whether the engine calls it in the life of an object of each kind (made, changed, imported, deleted; also
where trees are short and answers get lost), which contract tests (\`test/service\`) call it, and which refusal was seen. \`terraform\` will be a column once there is a provider.
The page is made from the code and its tests by \`test/service/docs.test.ts\` (with UPDATE_DOCS set): do not edit it.

${evidence.length} routes, without their other spellings: ${count(({ engine }) => engine)} driven by the engine, ${count((each) => each.tests.length > 0)} by contract tests.
${sections.map((section) => sectionOf(section, evidence)).join("")}`;
}

function sectionOf(section: string, evidence: readonly RouteEvidence[]): string {
  const rows = evidence.filter(({ route }) => route.section === section).map(rowOf);
  return `\n## ${citation(section)}\n\n| Route | Engine | Contract tests | Refusal |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function rowOf({ key, engine, tests: files, refusal }: RouteEvidence): string {
  return `| \`${key}\` | ${engine ? "yes" : "–"} | ${files.join(", ") || "–"} | ${refusal ?? "none: open to all"} |`;
}

/** Calls that stand in the contract tests, as they are written there. */
function testsByRoute(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).sort();
  for (const file of files.filter((name) => name.endsWith(".test.ts"))) {
    const text = readFileSync(join(tests, file), "utf8");
    const calls = text.matchAll(/"(GET|HEAD|POST|PUT|PATCH|DELETE)",\s*(?:path: )?["'`](\/[^"'`?]*)/g);
    for (const [, method = "", path = ""] of calls) {
      const bare = path.replaceAll(/\$\{[^}]*\}/g, "1").replace(/^\/api(?=\/)/, "");
      const key = router.find(method, bare)?.mounted.key;
      if (key !== undefined) found.set(key, (found.get(key) ?? new Set()).add(file.replace(".test.ts", "")));
    }
  }
  return new Map([...found].map(([key, files]) => [key, [...files].sort()]));
}

/** Something that is not there, a body that is none, or, where neither can be, no key. */
async function refusalOf(key: string, route: RouteDescriptor): Promise<number | undefined> {
  const rig = await makeRig();
  const [method = "", pattern = ""] = key.split(" ");
  const path = pattern.replaceAll(/:\w+/g, "999999");
  const headers = { "content-type": "application/json" };
  const body = route.body === undefined && !route.multipart ? undefined : "[]";
  const first = await rig.call(method, path, body, headers);
  if (first.status >= 400) return first.status;
  const { status } = await rig.call(method, path, body, { ...headers, "x-api-key": "another" });
  return status >= 400 ? status : undefined;
}
