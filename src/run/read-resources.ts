import type { Api } from "../api/routes.ts";
import { isObject, type Json } from "../model/json.ts";
import { ServiceError } from "../model/service-error.ts";
import { type Measured, metricsOf, resourceMeasured } from "./read-figures.ts";

/** The resources of a run, by `METHOD URL`; undefined where they cannot be read. */
export type Resources = readonly { readonly name: string; readonly measured: Measured }[] | undefined;

/** The resources of a run with their figures; undefined where they cannot be read. */
export async function readResources(api: Api, id: number): Promise<Resources> {
  try {
    const answer: unknown = await api.call("GET /executions/:id/resources", { params: { id } });
    const wires = Array.isArray(answer) ? (answer as readonly Json[]).filter(isObject) : [];
    return wires.map((wire) => ({ name: resourceName(wire), measured: resourceMeasured(metricsOf(wire["metrics"])) }));
  } catch (problem) {
    if (problem instanceof ServiceError) return undefined;
    throw problem;
  }
}

/** `GET https://shop.example.com/`, from what an answer has of it. */
function resourceName({ name, url }: Readonly<Record<string, Json | undefined>>): string {
  const [own, at] = [typeof name === "string" ? name : "", typeof url === "string" ? url : ""];
  if (own === "") return at;
  return own.includes("/") || at === "" ? own : `${own} ${at}`;
}
