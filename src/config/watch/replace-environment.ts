import type { DocumentPath } from "../../model/diagnostic.ts";
import { isObject, type Json } from "../../model/json.ts";
import type { Variables } from "../../watch/process/check-variables.ts";
import type { Report } from "../collect-problems.ts";

const expression = /\$\{(env|file|var):([^}]*)\}/g;

/** Where `${env:NAME}` is replaced: in what is passed to checks, in webhooks, and in secrets. */
function isReplaced(path: DocumentPath): boolean {
  const [first, , member] = path;
  if (first === "projects") return member === "pass";
  if (first === "notify") return member === "webhook";
  return first === "queue" || (first === "listen" && path.at(-1) !== "address");
}

/** The file with values of the environment; a variable that is not set, and `${…}` where nothing is replaced, are told with their places. */
export function replaceEnvironment(
  value: Json,
  { env, report }: { readonly env: Variables; readonly report: Report },
  path: DocumentPath = [],
): Json {
  const next = { env, report };
  if (Array.isArray(value)) return value.map((each: Json, index) => replaceEnvironment(each, next, [...path, index]));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, replaceEnvironment(member, next, [...path, name])]),
    );
  if (typeof value !== "string") return value;
  const place = { path, at: "value" } as const;
  return value.replace(expression, (whole, kind: string, name: string) => {
    if (kind !== "env" || !isReplaced(path)) {
      const detail = `Nothing is replaced here. Only \${env:NAME} is, in pass, webhook, token, secret and queue: write the value itself`;
      report({ severity: "error", code: "LF1104", summary: `${whole} is not replaced here`, detail, place });
      return whole;
    }
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    if (found !== undefined && found !== "") return found;
    const detail = `Set $${name} in the environment of the watcher, or remove it here`;
    report({ severity: "error", code: "LF1303", summary: `$${name} is not set`, detail, place });
    return "";
  });
}

/** Variables that a part of the file names. */
export function environmentNames(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => environmentNames(each));
  if (isObject(value)) return Object.values(value).flatMap(environmentNames);
  return typeof value === "string" ? [...value.matchAll(expression)].map(([, , name = ""]) => name) : [];
}
