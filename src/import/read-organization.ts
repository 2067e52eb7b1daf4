import { type Api, routes } from "../api/routes.ts";
import { type ShapeName, shapes } from "../api/shapes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { getOrMake } from "../model/group-by.ts";
import { byText, isObject, type Json } from "../model/json.ts";
import type { Target } from "../model/target.ts";
import { liveHandle, type Tree } from "../model/tree.ts";
import { readTree } from "../remote/read-tree.ts";
import { sha256 } from "../workspace/hash.ts";
import type { ImportLoading } from "./import-target.ts";

export interface ReadOrganization {
  readonly tree: Tree;
  /** Remarks on the wanted objects, by handle: fields that nothing describes. */
  readonly notices: (wanted: ReadonlySet<string>) => readonly Diagnostic[];
}

/** The whole live tree of the organization. */
export async function readOrganization(
  api: Api,
  { service, loading: { kinds } }: { readonly service: Target; readonly loading: ImportLoading },
): Promise<ReadOrganization> {
  const watch = watchUnknownFields(api);
  const roots = kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name);
  const scope = { organization: service.organization, wanted: new Set(roots), hash: sha256 };
  const tree = await readTree({ ...scope, api: watch.api, kinds });
  const unknown = watch.unknown();
  return { tree, notices: (wanted) => unknownFieldProblems(unknown, wanted) };
}

/** A field of answers that the service's documents do not have. */
interface UnknownField {
  /** Name of the object on the wire, with the field: `configuration.colour`. */
  readonly name: string;
  /** Handles of the objects that have it, or whose inner objects have it. */
  readonly handles: readonly string[];
}

/** An api that notes the fields of answers which the route table does not describe. */
function watchUnknownFields(api: Api): { readonly api: Api; readonly unknown: () => readonly UnknownField[] } {
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
  /** Handle of the nearest object with an id. */
  readonly owner: string;
}

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = shapes;

function look(value: Json | undefined, descriptor: string, looking: Looking): void {
  if (value === undefined || value === null) return;
  const [, name, list] = /^@(\w+)(\[\])?/.exec(descriptor) ?? [];
  const fields = name === undefined ? undefined : tables[name as ShapeName];
  if (name === undefined || fields === undefined) return;
  const objects: readonly Json[] = list && Array.isArray(value) ? value : [value];
  for (const object of objects) lookAtObject(object, { name, fields }, looking);
}

function lookAtObject(
  value: Json | undefined,
  { name, fields }: { readonly name: string; readonly fields: Readonly<Record<string, string>> },
  { found, owner }: Looking,
): void {
  if (!isObject(value)) return;
  const isStored = fields["createdAt"] !== undefined && typeof value["id"] === "number";
  const looking = { found, owner: isStored ? liveHandle(name, Number(value["id"])) : owner };
  for (const member in value) {
    const descriptor = fields[member];
    const held = value[member];
    // A member may be called as one that every object has: those are no texts.
    if (typeof descriptor === "string") look(held, descriptor, looking);
    else if (held !== null) getOrMake(found, `${name}.${member}`, () => new Set<string>()).add(looking.owner);
  }
}

function unknownFieldProblems(unknown: readonly UnknownField[], wanted: ReadonlySet<string>): readonly Diagnostic[] {
  return unknown.flatMap(({ name, handles }): Diagnostic[] => {
    const own = handles.filter((handle) => wanted.has(handle));
    if (own.length === 0) return [];
    const shown = own.slice(0, 3).join(", ") + (own.length > 3 ? ` and ${own.length - 3} more` : "");
    const detail = `The service's documents do not describe ${name}, which ${shown} ${own.length === 1 ? "has" : "have"}. It is omitted from the files and remains unchanged`;
    return [{ severity: "warning", code: "LF3012", summary: `${name} is not known to loadform`, detail }];
  });
}
