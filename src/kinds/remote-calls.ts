import type { Answer, Body, CallInput, Params, RouteKey } from "../api/routes.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { RemoteScope, RemoteWrite, Wire } from "../model/kind.ts";
import { IncompleteAnswer } from "../model/service-error.ts";

/** Routes of a method that answer one object with an id. */
type ObjectRoute<M extends string> = {
  [R in RouteKey]: R extends `${M} ${string}` ? (Answer<R> extends { readonly id: number } ? R : never) : never;
}[RouteKey];

/** A write of encoded fields; what else is known depends on the call. */
export type EncodedWrite = RemoteScope & { readonly body: JsonObject };

/** A kind's `read`: this route, with its input. */
export function read<R extends ObjectRoute<"GET">>(route: R, input: (id: number) => CallInput<R>) {
  return async ({ api, id }: RemoteScope & { readonly id: number }): Promise<Wire> =>
    asWire(await api.call(route, input(id)));
}

/** A kind's `create` or `update`: the encoded fields to this route, and the further ones that it wants, which win: a name in them says which object is meant. */
export function write<R extends ObjectRoute<"POST" | "PUT" | "PATCH">, W extends EncodedWrite = RemoteWrite>(
  route: R,
  params: (write: W) => Params<R>,
  further?: (write: W) => Partial<Body<R>>,
) {
  return async (write: W): Promise<Wire> => asWire(await sendWrite(route, write, { params, further }));
}

/** A kind's `set`: the encoded fields to a route that need not answer anything. */
export function set<R extends RouteKey, W extends EncodedWrite>(route: R, params: (write: W) => Params<R>) {
  return async (write: W): Promise<void> => void (await sendWrite(route, write, { params }));
}

/** The parameters of a path without any. */
export function none(): Readonly<Record<never, never>> {
  return {};
}

function sendWrite<R extends RouteKey, W extends EncodedWrite>(
  route: R,
  write: W,
  of: { params: (write: W) => Params<R>; further?: ((write: W) => Partial<Body<R>>) | undefined },
): Promise<Answer<R>> {
  const body: unknown = { ...write.body, ...of.further?.(write) };
  return write.api.call(route, { params: of.params(write), body: body as Body<R> });
}

/** The answer in the words of kinds; the type of the route has checked it. */
function asWire(answer: unknown): Wire {
  return answer as Wire;
}

/** The answer of a list route; one that is no list of objects with ids must not be read as an empty one. */
export function listedWires(answer: unknown, what: string): readonly Wire[] {
  const wires = asWires(answer);
  if (wires === undefined)
    throw new IncompleteAnswer(`the ${what} came as ${answerShape(answer)}, not as a list of objects with ids`);
  return wires;
}

/** A child list within a parent's answer; undefined when the answer did not carry it, or something else in its place. */
export function childList(member: string): (parent: JsonObject) => readonly Wire[] | undefined {
  return (parent) => asWires(parent[member]);
}

function asWires(answer: unknown): readonly Wire[] | undefined {
  const isWire = (item: unknown): item is Wire =>
    isObject(item) && Number.isSafeInteger(item.id) && Number(item.id) >= 0;
  return Array.isArray(answer) && answer.every(isWire) ? answer : undefined;
}

/** The type of a wrong answer; its values do not belong in messages. */
function answerShape(answer: unknown): string {
  if (answer === null || answer === undefined) return "nothing";
  if (Array.isArray(answer)) return "a list with something else in it";
  return isObject(answer) ? "one object" : `a ${typeof answer}`;
}

/** The id of an object nested in an answer, as a reference. */
export function nestedReference(member: string): (wire: JsonObject) => Json | undefined {
  return (wire) => {
    const nested = wire[member];
    return isObject(nested) && typeof nested.id === "number" ? { id: nested.id } : undefined;
  };
}
