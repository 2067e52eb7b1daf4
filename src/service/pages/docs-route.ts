import type { RouteDescriptor } from "../../api/routes.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import { type ParsedDescriptor, parseDescriptor } from "../core/descriptor.ts";
import type { Mounted } from "../core/router.ts";
import { type CurlOptions, curlOf, exampleOf } from "./docs-example.ts";

type Fields = Readonly<Record<string, string>>;

/** All that is to know about one route. */
export function routeArticle(mounted: Mounted, options: CurlOptions): string {
  const { method, path, route } = mounted;
  const id = anchorOf(mounted.key);
  const example = curlOf(mounted, exampleOf(mounted), options);
  return `<article id="${id}"><h3><span class="method ${method.toLowerCase()}">${method}</span> <a href="#${id}">${pathHtml(path)}</a></h3>
${[route.summary && sentence(route.summary), accessNote(route), aliasNote(route), onceNote(route)]
  .filter((text) => text)
  .map((text) => `<p>${text}</p>`)
  .join("\n")}
${route.decision ? `<p class="decision"><b>Decided</b> ${asHtml(route.decision)}</p>` : ""}
${fieldTable(`Fields of ${mounted.key}`, [...pathRows(mounted), ...queryRows(route), ...bodyRows(route)])}
${bodyNote(route)}
<p class="answer"><b>Response</b> ${route.status ? `${route.status}, ` : ""}${answerHtml(route)}</p>
<pre aria-label="Example of ${asHtml(mounted.key)}"><code>${asHtml(example)}</code></pre>
</article>`;
}

/** The fields of one object that travels. */
export function shapeArticle(name: string, fields: Fields): string {
  const rows = Object.entries(fields).map(([field, descriptor]) => fieldRow(field, "", parseDescriptor(descriptor)));
  return `<article id="shape-${name}"><h3><a href="#shape-${name}">${name}</a></h3>${fieldTable(`Fields of ${name}`, rows)}</article>`;
}

function anchorOf(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** Long paths break after a slash only. */
function pathHtml(path: string): string {
  return path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? `<i>${asHtml(segment)}</i>` : asHtml(segment)))
    .join("/<wbr>");
}

function sentence(text: string): string {
  return asHtml(/[.!?]$/.test(text) ? text : `${text}.`);
}

function accessNote({ open }: RouteDescriptor): string {
  if (open === "all") return "Needs no key.";
  return open === "sid" ? "Opened by the session id that its link carries, too." : "";
}

function aliasNote({ aliases }: RouteDescriptor): string {
  return aliases?.length ? `Also ${aliases.map((alias) => `<code>${asHtml(alias)}</code>`).join(", ")}.` : "";
}

function onceNote({ once, openQuery }: RouteDescriptor): string {
  const notes = [once && "Does its work anew at every call.", openQuery && "Takes any query parameter."];
  return notes.filter((note) => note).join(" ");
}

function pathRows({ path, params, route }: Mounted): readonly string[] {
  const spelled = path.split("/").filter((segment) => segment.startsWith(":"));
  return params.map((name, index) =>
    fieldRow(spelled[index]?.slice(1) ?? name, "path", {
      ...parseDescriptor(route.params?.[name] ?? "int"),
      required: true,
    }),
  );
}

function queryRows({ query = {} }: RouteDescriptor): readonly string[] {
  return Object.entries(query).map(([name, descriptor]) => fieldRow(name, "query", parseDescriptor(descriptor)));
}

function bodyRows({ body }: RouteDescriptor): readonly string[] {
  if (typeof body !== "object") return [];
  return Object.entries(body).map(([name, descriptor]) => fieldRow(name, "body", parseDescriptor(descriptor)));
}

/** A body that is no object with fields of its own. */
function bodyNote({ body, bodyOptional, multipart }: RouteDescriptor): string {
  const optional = bodyOptional ? "; it may be absent" : "";
  if (multipart) return "<p><b>Body</b> a multipart form</p>";
  if (typeof body === "string") return `<p><b>Body</b> ${typeHtml(parseDescriptor(body))}${optional}</p>`;
  return body !== undefined && bodyOptional ? "<p><b>Body</b> may be absent</p>" : "";
}

/** The place of a field matters for a request only: an object's fields need no place. */
function fieldRow(name: string, place: string, field: ParsedDescriptor): string {
  const fallback = field.default === undefined ? undefined : `default <code>${asHtml(field.default)}</code>`;
  const note = [place, fallback ?? (field.required ? "required" : "")].filter((text) => text !== "").join(", ");
  return `<tr><th scope="row"><code>${asHtml(name)}</code></th><td>${typeHtml(field)}</td><td>${note}</td></tr>`;
}

function fieldTable(caption: string, rows: readonly string[]): string {
  if (rows.length === 0) return "";
  const head = ["Name", "Type", "Note"].map((title) => `<th scope="col">${title}</th>`).join("");
  return `<table><caption class="unseen">${asHtml(caption)}</caption><thead class="unseen"><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

const words: Readonly<Record<string, string>> = {
  int: "integer",
  time: "ISO time",
  epoch: "epoch ms or ISO time",
  json: "any JSON",
  text: "text",
  binary: "bytes",
  none: "nothing",
};

function typeHtml({ type, shape, choices, list }: ParsedDescriptor): string {
  const item = shape
    ? `<a href="#shape-${shape}">${shape}</a>`
    : choices
      ? choices.map((choice) => `<code>${asHtml(choice)}</code>`).join(" or ")
      : (words[type] ?? type);
  return list ? `array of ${item}` : item;
}

function answerHtml({ answer }: RouteDescriptor): string {
  if (typeof answer === "string") return typeHtml(parseDescriptor(answer));
  const fields = Object.entries(answer).map(
    ([name, descriptor]) => `<code>${asHtml(name)}</code> ${typeHtml(parseDescriptor(descriptor))}`,
  );
  return `an object: ${fields.join(", ")}`;
}
