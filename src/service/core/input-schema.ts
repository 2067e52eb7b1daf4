import type { RouteDescriptor } from "../../api/routes.ts";
import type { ParsedDescriptor, ParsedFields } from "./descriptor.ts";
import { parseDescriptor, parseFields, parseShape } from "./descriptor.ts";

/** What a route takes, taken apart. */
export interface RouteInput {
  readonly params: ParsedFields;
  readonly query: ParsedFields;
  /** Fields of an object body. */
  readonly fields?: ParsedFields;
  /** A body that is no object. */
  readonly whole?: ParsedDescriptor;
}

/** Descriptors taken apart when first needed; one per service, shared by its forks. */
export class InputSchemas {
  readonly #routes = new Map<RouteDescriptor, RouteInput>();
  readonly #shapes = new Map<string, ParsedFields>();

  of(route: RouteDescriptor): RouteInput {
    const known = this.#routes.get(route) ?? inputOf(route);
    this.#routes.set(route, known);
    return known;
  }

  shape(name: string): ParsedFields {
    const known = this.#shapes.get(name) ?? parseShape(name);
    this.#shapes.set(name, known);
    return known;
  }
}

function inputOf({ params, query, body }: RouteDescriptor): RouteInput {
  return {
    params: parseFields(params ?? {}),
    query: parseFields(query ?? {}),
    ...(typeof body === "string" ? { whole: parseDescriptor(body) } : {}),
    ...(typeof body === "object" ? { fields: parseFields(body) } : {}),
  };
}
