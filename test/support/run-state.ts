import type { Api } from "../../src/api/routes.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { readRun } from "../../src/run/read-run.ts";

/** A run as `readRun` reads it off this answer. */
export async function runState(wire: JsonObject) {
  const state = await readRun({ call: async () => wire } as unknown as Api, Number(wire["id"]));
  if (state === undefined) throw new Error("no run");
  return state;
}
