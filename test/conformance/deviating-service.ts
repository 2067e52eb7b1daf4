import { type RouteKey, routes } from "../../src/api/routes.ts";
import { type ShapeName, shapes } from "../../src/api/shapes.ts";
import { readDescriptor } from "../../src/conformance/value-form.ts";
import { isObject, type JsonObject } from "../../src/model/json.ts";
import type { Service, ServiceAnswer, ServiceRequest } from "../../src/service/index.ts";

type Value = ServiceAnswer["json"];

/** A request that a deviation may answer otherwise. */
export interface Met {
  readonly route: RouteKey;
  readonly request: ServiceRequest;
}

/** One way in which a service differs from the documents or from our reading. */
export interface Deviation {
  readonly name: string;
  /** Changes a request before it arrives: other defaults on write. */
  readonly arrives?: (body: JsonObject, met: Met) => JsonObject;
  /** Changes an answer. */
  readonly answers?: (value: Value, met: Met) => Value;
  /** Another status, and with it perhaps no body; undefined for an answer as it is. */
  readonly status?: (met: Met, status: number) => { readonly status: number; readonly isEmpty?: true } | undefined;
}

/** A service behind a proxy that deviates while it is on. */
export interface DeviatingService {
  readonly service: Service;
  readonly end: () => void;
}

/** Puts a proxy that deviates before a service. */
export function deviatingService(inner: Service, deviation: Deviation): DeviatingService {
  let isOn = true;
  const handle = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const route = routeOf(request);
    if (!isOn || route === undefined) return inner.handle(request);
    const met = { route, request };
    const answer = await inner.handle(arriving(deviation, met));
    const other = deviation.status?.(met, answer.status);
    const answered = other === undefined ? answer : withBody(answer, answer.json ?? null, other.status);
    if (other?.isEmpty) return { ...answered, json: undefined, body: () => "" };
    if (deviation.answers === undefined || answer.status >= 300 || answer.json === undefined) return answered;
    return withBody(answered, deviation.answers(structuredClone(answer.json), met), answered.status);
  };
  const service = Object.create(inner, { handle: { value: handle } }) as Service;
  return {
    service,
    end() {
      isOn = false;
    },
  };
}

function withBody(answer: ServiceAnswer, json: Value, status: number): ServiceAnswer {
  return { ...answer, status, json, body: () => JSON.stringify(json) };
}

function arriving({ arrives }: Deviation, met: Met): ServiceRequest {
  const { request } = met;
  const sent: unknown = typeof request.body === "string" ? JSON.parse(request.body) : request.body;
  if (arrives === undefined || !isObject(sent)) return request;
  return { ...request, body: JSON.stringify(arrives(sent, met)) };
}

const patterns = (Object.keys(routes) as RouteKey[]).map((route) => {
  const [method = "", path = ""] = route.split(" ");
  return { route, method, path: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`) };
});

function routeOf({ method, path }: ServiceRequest): RouteKey | undefined {
  return patterns.find((each) => each.method === method && each.path.test(path))?.route;
}

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = shapes;

/** Changes every object of these shapes in an answer, wherever it is nested. */
export function each(
  of: readonly ShapeName[] | "every",
  change: (object: Record<string, Value>, shape: string) => void,
) {
  const below = (object: Record<string, Value>, shape: string): void => {
    for (const [member, text] of Object.entries(tables[shape] ?? {})) {
      const { shape: nested } = readDescriptor(text);
      if (nested !== undefined) walk(object[member] ?? null, nested);
    }
    if (of === "every" || (of as readonly string[]).includes(shape)) change(object, shape);
  };
  const walk = (value: Value, shape: string): void => {
    if (Array.isArray(value)) for (const item of value as readonly Value[]) walk(item, shape);
    else if (isObject(value)) below(value as Record<string, Value>, shape);
  };
  return (value: Value, { route }: Met): Value => {
    const described: unknown = routes[route].answer;
    const shape = typeof described === "string" ? readDescriptor(described).shape : undefined;
    if (shape !== undefined) walk(value, shape);
    return value;
  };
}
