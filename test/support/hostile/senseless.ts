import type { ServiceAnswer } from "../../../src/service/index.ts";
import { isBody, type Value } from "./document.ts";

/** Answers that make no sense, given after the effect, with status 200. */
const senselessAnswers = {
  "{}": () => json({}),
  "[]": () => json([]),
  '""': () => json(""),
  "0": () => json(0),
  null: () => json(null),
  empty: () => text("", "application/json"),
  "[null]": () => json([null]),
  '{"id":null}': () => json({ id: null }),
  '{"data":{}}': () => json({ data: {} }),
  '{"data":{the object}}': (whole) => json({ data: whole }),
  '{"id":"7"}': () => json({ id: "7" }),
  "the id without createdAt": (whole) => json({ id: isBody(whole) ? (whole["id"] ?? null) : 1 }),
  "another id without createdAt": (whole) => json({ id: idOf(whole) + 1 }),
  "another id": (whole) => json(isBody(whole) ? { ...whole, id: idOf(whole) + 1 } : {}),
  "another name": (whole) => json(isBody(whole) && "name" in whole ? { ...whole, name: "somebody" } : {}),
  HTML: () => text("<!doctype html><title>Welcome</title>", "text/html"),
} as const satisfies Readonly<Record<string, (whole: Value) => ServiceAnswer>>;

/** Name of one of them. */
export type Senseless = keyof typeof senselessAnswers;

/** The names of all of them. */
export const allSenseless = Object.keys(senselessAnswers) as Senseless[];

/** What is answered instead of a good answer. */
export function senselessly(which: Senseless, answer: ServiceAnswer): ServiceAnswer {
  return senselessAnswers[which]((answer.json ?? null) as Value);
}

const idOf = (whole: Value) => (isBody(whole) && typeof whole["id"] === "number" ? whole["id"] : 0);

function json(value: Value): ServiceAnswer {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status: 200, headers, json: value as never, body: () => JSON.stringify(value) };
}

function text(body: string, type: string): ServiceAnswer {
  return { status: 200, headers: { "content-type": type }, json: undefined, body: () => body };
}
