import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import { type ParsedFields, parseShape } from "../core/descriptor.ts";
import { barePath, type Match, type Router } from "../core/router.ts";
import { Findings, Refusal } from "../refusal.ts";
import { isJsonObject } from "../store/json-values.ts";

/** A planned fault: which calls it hits, and what happens to them. `PUT /_loadform/faults` takes a list. */
export interface Fault {
  /** `GET`, `POST` …, as the route has it. */
  readonly method: string;
  /** A path of the route table (`/test-cases/:id`, every object) or of one object (`/test-cases/7`). */
  readonly path: string;
  /** Number of matching calls that it hits; default: all. */
  readonly times?: number;
  /** Number of matching calls that pass before it hits; default: 0. */
  readonly after?: number;
  /** Answers with this status in place of the work; with `effectDelayMs` or `drop: after` the work is done all the same. */
  readonly status?: number;
  /** The body of that answer; alone, its status is 503. */
  readonly body?: JsonValue;
  /** Holds the answer for so many milliseconds of real time. */
  readonly delayMs?: number;
  /** The work is done so many milliseconds later on the service's clock; the answer waits for it, but for `drop: after`. */
  readonly effectDelayMs?: number;
  /** Cuts the connection: `before` the work is done, or `after` it, without an answer. */
  readonly drop?: "before" | "after";
  /** Sends so many bytes of the answer, then cuts the connection. */
  readonly truncate?: number;
  /** So many later reads of what this call wrote are answered as before it. */
  readonly staleReads?: number;
  /** Sends the header Retry-After, in seconds; alone, with status 503. */
  readonly retryAfterSecs?: number;
}

/** A planned fault with the route that it is aimed at. */
export interface AimedFault {
  readonly fault: Fault;
  /** Key in the route table. */
  readonly route: string;
  /** Values of the path's parameters; undefined hits every object. */
  readonly params: readonly (string | undefined)[];
}

const least: Readonly<Record<string, number>> = { times: 1, status: 100 };

/** Reads a list of faults; unknown keys and paths are refused. */
export function readFaults(value: unknown, router: Router): readonly AimedFault[] {
  if (!Array.isArray(value)) throw new Refusal(400, "found no list; expected a JSON array of faults");
  const findings = new Findings();
  const known = new Map([...parseShape("fault")].filter(([name]) => name !== "hits"));
  const aimed = value.flatMap((item: JsonValue, index): readonly AimedFault[] => {
    const fault = readFault(item, { at: `[${index}]`, known, findings });
    return fault ? aim(fault, { at: `[${index}]`, router, findings }) : [];
  });
  findings.check();
  return aimed;
}

interface FaultItem {
  readonly at: string;
  readonly findings: Findings;
}

function readFault(
  item: JsonValue,
  { at, known, findings }: FaultItem & { readonly known: ParsedFields },
): Fault | undefined {
  if (!isJsonObject(item)) {
    findings.add(at, `found ${shownValue(item)}; expected a fault: an object with method and path`);
    return undefined;
  }
  for (const [name, value] of Object.entries(item)) checkKey(name, value, { at, known, findings });
  for (const name of ["method", "path"])
    if (typeof item[name] !== "string") findings.add(`${at}.${name}`, `found ${shownValue(item[name])}; expected text`);
  return typeof item["method"] === "string" && typeof item["path"] === "string"
    ? (item as unknown as Fault)
    : undefined;
}

function checkKey(
  name: string,
  value: JsonValue,
  { at, known, findings }: FaultItem & { readonly known: ParsedFields },
): void {
  const field = known.get(name);
  if (field === undefined)
    findings.add(`${at}.${name}`, `found an unknown key; expected one of ${[...known.keys()].join(", ")}`);
  else if (field.type === "int" && !(Number.isSafeInteger(value) && Number(value) >= (least[name] ?? 0)))
    findings.add(`${at}.${name}`, `found ${shownValue(value)}; expected a whole number, at least ${least[name] ?? 0}`);
  else if (field.choices && !field.choices.some((choice) => choice === value))
    findings.add(`${at}.${name}`, `found ${shownValue(value)}; expected ${field.choices.join(" or ")}`);
}

function aim(fault: Fault, { at, router, findings }: FaultItem & { readonly router: Router }): readonly AimedFault[] {
  // The published document writes {confId} where the route table writes :confId.
  const path = barePath(fault.path.split("?")[0] ?? "").replace(/\{([^/{}]+)\}/g, ":$1");
  const method = fault.method.toUpperCase();
  const match = router.find(method, path);
  const own = path.startsWith("/_loadform");
  const values = match?.mounted.params.map((name) => match.params[name]) ?? [];
  if (match && !own && !values.some(isPattern)) {
    const open = values.map((value) => (value?.startsWith(":") ? undefined : value));
    return [{ fault: { ...fault, method }, route: match.mounted.key, params: open }];
  }
  const known = match ? [`${match.mounted.method} ${match.mounted.path}`] : [];
  const hint = own ? "" : nearRoute({ method, path, known, router });
  const found = own
    ? "which belongs to loadform's own routes, that have no faults"
    : "which is no route of the service";
  findings.add(
    `${at}.path`,
    `found ${method} ${fault.path}, ${found}; expected a path of the route table, with an id or :name for each parameter.${hint}`,
  );
  return [];
}

/** A parameter's value that a caller means for several, and that no object has. */
function isPattern(value: string | undefined): boolean {
  return value !== undefined && /[*{}]/.test(value);
}

function nearRoute(wanted: {
  readonly method: string;
  readonly path: string;
  readonly known: readonly string[];
  readonly router: Router;
}): string {
  const { method, path, known, router } = wanted;
  if (known.length > 0) return ` Did you mean ${known.join(", ")}?`;
  const [best] = router.mounted
    .filter((entry) => entry.method === method)
    .map((entry) => ({
      route: `${method} ${entry.path}`,
      likeness: leastLikeness(entry.path.split("/"), path.split("/")),
    }))
    .sort((left, right) => right.likeness - left.likeness);
  return best && best.likeness > 0.6 ? ` Did you mean ${best.route}?` : "";
}

/** Likeness of two paths of one length, from 0 to 1: that of their least alike segments. */
function leastLikeness(pattern: readonly string[], given: readonly string[]): number {
  if (pattern.length !== given.length) return 0;
  return Math.min(...pattern.map((part, index) => (part.startsWith(":") ? 1 : sharedPrefix(part, given[index] ?? ""))));
}

function sharedPrefix(left: string, right: string): number {
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return left === right ? 1 : shared / Math.max(left.length, right.length);
}

interface Planned extends AimedFault {
  /** Calls that matched. */
  matches: number;
  /** Calls that it was carried out on. */
  hits: number;
}

const sameWrite = new Set(["PUT", "PATCH"]);

/** The planned faults, with how often each matched and hit. */
export class FaultPlan {
  #planned: Planned[] = [];

  set(faults: readonly AimedFault[]): void {
    this.#planned = faults.map((each) => ({ ...each, matches: 0, hits: 0 }));
  }

  /** The faults as they were given, with their hits. */
  list(): readonly (Fault & { readonly hits: number })[] {
    return this.#planned.map(({ fault, hits }) => ({ ...fault, hits }));
  }

  get size(): number {
    return this.#planned.length;
  }

  /** The fault that this call meets: every planned one counts it, the first that is due hits. */
  take(method: string, match: Match): Fault | undefined {
    let due: Planned | undefined;
    for (const planned of this.#planned) {
      if (!isAimedAt(planned, method, match)) continue;
      planned.matches += 1;
      if (due === undefined && isDue(planned)) due = planned;
    }
    if (due) due.hits += 1;
    return due?.fault;
  }
}

function isDue({ fault, matches, hits }: Planned): boolean {
  return matches > (fault.after ?? 0) && (fault.times === undefined || hits < fault.times);
}

function isAimedAt({ fault, route, params }: Planned, method: string, { mounted, params: values }: Match): boolean {
  const same = fault.method === method || (sameWrite.has(fault.method) && sameWrite.has(method));
  if (!same || mounted.key !== route) return false;
  return mounted.params.every((name, index) => params[index] === undefined || params[index] === values[name]);
}
