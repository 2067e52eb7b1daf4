import type { Api } from "../api/routes.ts";
import { routes } from "../api/routes.ts";
import type { ShapeName } from "../api/shapes.ts";
import { shapes } from "../api/shapes.ts";
import { byText } from "../model/canonical.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { liveHandle } from "../model/tree.ts";

/** A field of answers that the service's documents do not have. */
export interface UnknownField {
  /** Name of the object on the wire, with the field: `configuration.colour`. */
  readonly name: string;
  /** Handles of the objects that carry it, or hold what carries it. */
  readonly handles: readonly string[];
}

/** An api that notes the fields of answers which the route table does not describe. */
export function watchUnknownFields(api: Api): { readonly api: Api; readonly unknown: () => readonly UnknownField[] } {
  const found = new Map<string, Set<string>>();
  return {
    api: {
      async call(route, input, options) {
        const answer = await api.call(route, input, options);
        const described: unknown = routes[route].answer;
        if (typeof described === "string") look(answer as Json, described, { found, owner: "" });
        return answer;
      },
    },
    unknown: () =>
      [...found]
        .map(([name, handles]) => ({ name, handles: [...handles].sort(byText) }))
        .sort((left, right) => byText(left.name, right.name)),
  };
}

interface Looking {
  readonly found: Map<string, Set<string>>;
  /** Handle of the nearest object with an id of its own. */
  readonly owner: string;
}

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = shapes;

function look(value: Json | undefined, descriptor: string, looking: Looking): void {
  const [, name, list] = /^@(\w+)(\[\])?/.exec(descriptor) ?? [];
  const fields = name === undefined ? undefined : tables[name as ShapeName];
  if (name === undefined || fields === undefined) return;
  if (list && Array.isArray(value)) for (const item of value) lookAtObject(item as Json, { name, fields }, looking);
  else lookAtObject(value, { name, fields }, looking);
}

interface Shape {
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

function lookAtObject(value: Json | undefined, { name, fields }: Shape, { found, owner }: Looking): void {
  if (!isObject(value)) return;
  const isStored = fields["createdAt"] !== undefined && typeof value["id"] === "number";
  const handle = isStored ? liveHandle(name, Number(value["id"])) : owner;
  for (const [member, held] of Object.entries(value)) {
    const descriptor = Object.hasOwn(fields, member) ? fields[member] : undefined;
    if (descriptor !== undefined) look(held, descriptor, { found, owner: handle });
    else if (held !== null) found.set(`${name}.${member}`, (found.get(`${name}.${member}`) ?? new Set()).add(handle));
  }
}
