import { type Api, type CallInput, type CallOptions, type RouteKey, routes } from "../api/routes.ts";
import { type ShapeName, shapes, volatileMembers } from "../api/shapes.ts";
import { unlessThrown } from "../model/diagnostic.ts";
import type { Hash } from "../model/fingerprint.ts";
import { getOrMake } from "../model/group-by.ts";

/** The same read is sent once: several kinds may be answered by one list. */
export function memoizedApi(api: Api): Api {
  const answers = new Map<string, Promise<unknown>>();
  return {
    call(route, input, options) {
      const known = getOrMake(answers, keyOf(route, input), () => api.call(route, input, options));
      return known as ReturnType<typeof api.call<typeof route>>;
    },
  };
}

/** A remembered answer, and the address that it was requested for. */
interface SeenAnswer {
  /** Hash of its bytes. */
  readonly hash: string;
  /** Hash of the same without its volatile members, where it has any. */
  readonly stable?: string;
  /** Its ETag. */
  readonly tag?: string;
  readonly address?: string;
}

/** Answers by request. */
export type SeenAnswers = Readonly<Record<string, SeenAnswer>>;

/** An API of which the same read is sent once, with a hash of each answer. */
export interface WatchedApi extends Api {
  /** The answers to all calls so far, without known reads that no caller requested. */
  readonly seen: () => SeenAnswers;
  /** Sends the known reads; true when every answer is the same, volatile members aside: no plan is made of such answers. */
  readonly isAsKnown: () => Promise<boolean>;
}

/** An answer, which is parsed when its value is needed. */
interface Answer {
  /** Hash of its bytes; undefined where there were none. */
  readonly hash: string | undefined;
  readonly value: () => unknown;
  /** Hash of the same without its volatile members; undefined where it has none. */
  readonly stable: () => string | undefined;
  readonly tag: string | undefined;
  /** It has the ETag of the known one still, so that the service did not send it: its value can be read only from another. */
  readonly isUnsent: boolean;
}

/** Answers that several watched APIs of one service, key and moment share. */
export interface SharedAnswers {
  /** By request. */
  readonly answers: Map<string, Promise<Answer>>;
  /** The longest may be requested by its ETag: all who share them know answers. */
  readonly isConditional: boolean;
}

/**
 * Watches an API; `known` are the answers to an earlier run of the same program. The longest of them is requested by its ETag, where the
 * service gives it one: that costs a request more where that answer is the same and another one is not.
 */
export function watchedApi(
  api: Api,
  { hash, shared }: { readonly hash: Hash; readonly shared?: SharedAnswers | undefined },
  known: SeenAnswers = {},
): WatchedApi {
  const { answers, isConditional }: SharedAnswers = shared ?? { answers: new Map(), isConditional: true };
  /** Answers that were requested here. */
  const called = new Map<string, { readonly answer: Answer; readonly address: string | undefined }>();
  const ask = (request: ReadRequest, by?: "tag"): Promise<Answer> =>
    getOrMake(answers, request.key, () => sendRead(api, request, { hash, known: known[request.key], by }));
  const askWhole = async (request: ReadRequest): Promise<Answer> => {
    const first = answers.get(request.key);
    const isUnsent = (await first)?.isUnsent;
    // Another caller may have requested it again meanwhile.
    if (isUnsent && answers.get(request.key) === first) answers.delete(request.key);
    return ask(request);
  };
  return {
    async call(route, input, options = {}) {
      const key = keyOf(route, input);
      const answer = await askWhole({ key, route, input, options });
      const value = answer.value();
      called.set(key, { answer, address: options.address });
      return value as Awaited<ReturnType<typeof api.call<typeof route>>>;
    },
    seen: () =>
      Object.fromEntries(
        [...called].flatMap(([key, { answer, address }]) => {
          if (answer.hash === undefined) return [];
          const [stable, tag] = [answer.stable(), answer.tag];
          const about = { ...(address !== undefined && { address }), ...(stable !== undefined && { stable }) };
          return [[key, { hash: answer.hash, ...about, ...(tag !== undefined && { tag }) }]];
        }),
      ),
    async isAsKnown() {
      // The last answer was the longest: it is requested first, on the open connection.
      const reads = Object.entries(known)
        .toReversed()
        .flatMap((entry) => readOf(entry) ?? []);
      if (reads.length < Object.keys(known).length) return false;
      const isKnown = async (read: ReadRequest, index: number) =>
        isSame(await ask(read, index === 0 && isConditional ? "tag" : undefined), known[read.key]);
      return (await Promise.all(reads.map(isKnown))).every(Boolean);
    },
  };
}

function isSame(answer: Answer, known: SeenAnswer | undefined): boolean {
  if (known === undefined || answer.hash === known.hash) return known !== undefined;
  return answer.hash !== undefined && known.stable !== undefined && answer.stable() === known.stable;
}

/** Sends a read; an answer that equals the known one, volatile members aside, is not parsed yet, and by its tag not even sent. */
async function sendRead(
  api: Api,
  { route, input, options }: ReadRequest,
  { hash, known, by }: { readonly hash: Hash; readonly known: SeenAnswer | undefined; readonly by: "tag" | undefined },
): Promise<Answer> {
  let [found, unread]: [string | undefined, Uint8Array | undefined] = [undefined, undefined];
  let stable: { readonly hash: string | undefined } | undefined;
  const hashed = (text: string | undefined) => (text === undefined ? undefined : hash(text));
  const isKnown = (body: Uint8Array): boolean => {
    found = hash(body);
    if (found !== known?.hash) {
      if (known?.stable === undefined) return false;
      stable = { hash: hashed(stableText(route, parsed(body))) };
      if (stable.hash !== known.stable) return false;
    }
    unread = body;
    return true;
  };
  let tag: string | undefined;
  const answered: CallOptions["answered"] = (headers) => {
    tag = headers["etag"];
  };
  const unlessTag = by && known?.tag;
  const condition = unlessTag === undefined ? {} : { unlessTag };
  let value: unknown = await api.call(route, input, { ...options, isKnown, answered, ...condition });
  // The service sent nothing: it is the known answer again.
  if (known && unlessTag !== undefined && found === undefined && value === undefined)
    return { hash: known.hash, stable: () => known.stable, tag: known.tag, isUnsent: true, value: () => undefined };
  const read = () => {
    if (unread !== undefined) value = parsed(unread);
    unread = undefined;
    return value;
  };
  return {
    hash: found,
    tag,
    isUnsent: false,
    value: read,
    stable() {
      stable ??= { hash: hashed(stableText(route, read())) };
      return stable.hash;
    },
  };
}

/** A body as JSON; undefined for one that is not, which the client explains. */
function parsed(body: Uint8Array): unknown {
  return unlessThrown(() => JSON.parse(new TextDecoder().decode(body)));
}

interface ReadRequest {
  readonly key: string;
  readonly route: RouteKey;
  readonly input: CallInput<RouteKey> | undefined;
  readonly options: CallOptions;
}

/** A request as text; {@link readOf} parses it. */
function keyOf(route: RouteKey, input: unknown): string {
  return `${route} ${JSON.stringify(input ?? {})}`;
}

/** The request of a known answer; undefined where the memory is damaged: only reads are known. */
function readOf([key, { address }]: readonly [string, SeenAnswer]): ReadRequest | undefined {
  const cut = key.indexOf(" {");
  const route = key.slice(0, cut);
  if (!route.startsWith("GET ") || !Object.hasOwn(routes, route)) return undefined;
  const input = JSON.parse(key.slice(cut)) as CallInput<RouteKey>;
  return { key, route: route as RouteKey, input, options: address === undefined ? {} : { address } };
}

/** The text of an answer without its volatile members; undefined where it has none. Answers with equal texts lead to the same plan. */
function stableText(route: RouteKey, answer: unknown): string | undefined {
  const { answer: described } = routes[route];
  const shape = typeof described === "string" ? shapeOf(described) : undefined;
  const hidden: Hidden[] = [];
  if (shape !== undefined) hide(answer, shape, hidden);
  if (hidden.length === 0) return undefined;
  const text = JSON.stringify(answer);
  for (const { holder, member, value } of hidden) holder[member] = value;
  return text;
}

type Holder = Record<string, unknown>;

/** A member that is taken out while the text is made. */
interface Hidden {
  readonly holder: Holder;
  readonly member: string;
  readonly value: unknown;
}

function hide(value: unknown, shape: ShapeName, hidden: Hidden[]): void {
  if (Array.isArray(value)) {
    for (const item of value) hide(item, shape, hidden);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const holder = value as Holder;
  for (const member of volatileIn(holder, shape))
    if (holder[member] !== undefined) {
      hidden.push({ holder, member, value: holder[member] });
      holder[member] = undefined;
    }
  for (const { member, below } of belowOf(shape)) if (holder[member] !== undefined) hide(holder[member], below, hidden);
}

const none: NonNullable<(typeof volatileMembers)[ShapeName]> = { members: [] };

function volatileIn(holder: Holder, shape: ShapeName): readonly string[] {
  const { members, unless } = volatileMembers[shape] ?? none;
  return unless !== undefined && holder[unless.member] === unless.is ? [] : members;
}

const known = new Map<ShapeName, ReturnType<typeof shapesIn>>();

/** Members that hold objects of a shape with volatile members in it. */
function belowOf(shape: ShapeName) {
  return getOrMake(known, shape, () => shapesIn(shape).filter(({ below }) => isVolatile(below)));
}

function shapesIn(shape: ShapeName): readonly { readonly member: string; readonly below: ShapeName }[] {
  return Object.entries(shapes[shape]).flatMap(([member, described]) => {
    const below = shapeOf(described);
    return below === undefined ? [] : [{ member, below }];
  });
}

/** True where an object of a shape, or one somewhere in it, has volatile members. */
function isVolatile(shape: ShapeName, seen = new Set<ShapeName>()): boolean {
  if (volatileMembers[shape] !== undefined) return true;
  seen.add(shape);
  return shapesIn(shape).some(({ below }) => !seen.has(below) && isVolatile(below, seen));
}

function shapeOf(described: string): ShapeName | undefined {
  const name = /^@(\w+)/.exec(described)?.[1];
  return name !== undefined && Object.hasOwn(shapes, name) ? (name as ShapeName) : undefined;
}
