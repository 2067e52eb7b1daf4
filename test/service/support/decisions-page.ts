import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownSection } from "../../../src/api/own.ts";
import { type RouteDescriptor, routes } from "../../../src/api/routes.ts";

const source = join(import.meta.dirname, "../../../src/service");

/** One decision as its function states it. */
export interface Decision {
  /** What findings cite it by: `1-schedule-how-many-runs-fall-due…`, made of its citation and its first words. */
  readonly id: string;
  /** File below src/service. */
  readonly file: string;
  /** Where the API documents are silent: "API 1, Schedule". */
  readonly cited: string;
  readonly text: string;
}

/** Every decision that a comment in src/service marks: `DECISION (API 1, …): …`, or `DECISION: …`. */
export function collectDecisions(): readonly Decision[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files
    .sort()
    .flatMap((file) => commentsIn(readFileSync(join(source, file), "utf8")).flatMap((text) => decisionsIn(file, text)));
}

/** The ids of all rows of the page. */
export function collectDecisionIds(): readonly string[] {
  const noted = Object.entries<RouteDescriptor>(routes).filter(([, { decision }]) => decision !== undefined);
  return [...collectDecisions().map(({ id }) => id), ...noted.map(([key]) => routeDecisionId(key))];
}

/** docs/service-decisions.md, made of the comments of the rules and the notes of the route table. */
export function decisionsPage(): string {
  const rules = collectDecisions().map(
    ({ id, cited, text, file }) =>
      `| \`${id}\` | ${cited.startsWith("API ") ? cell(cited) : "several places"} | ${cell(text)} | \`${file}\` |`,
  );
  const noted = Object.entries<RouteDescriptor>(routes).flatMap(([key, route]) =>
    route.decision === undefined
      ? []
      : [`| \`${routeDecisionId(key)}\` | \`${key}\` | ${citation(route.section)} | ${cell(route.decision)} |`],
  );
  return `# Decisions of the bundled service

The two API documents leave gaps. This page lists how the bundled service fills them; a live service may differ, so offline checks
report these rules as warnings against one, and \`loadform conformance\` names the id of the decision that one differs from. "API 1" and
"API 2" are the two parts of the API documents. The page is made from the code by
\`test/service/docs.test.ts\` (with UPDATE_DOCS set): do not edit it.

## Rules

| Id | Where the documents are silent | What holds here | Code in src/service |
|---|---|---|---|
${rules.join("\n")}

## Routes

| Id | Route | Section | What holds here |
|---|---|---|---|
${noted.join("\n")}
`;
}

/** A section of the route table as comments cite it. */
export function citation(section: string): string {
  return section === ownSection ? "Own routes" : `API ${section.replace(" ", ", ")}`;
}

/** Block comments, and runs of line comments, as one line each. */
function commentsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, body = ""]) => body.replace(/^\s*\* ?/gm, " "));
  const lines = [...text.matchAll(/(?:^\s*\/\/.*\n)+/gm)].map(([run]) => run.replace(/^\s*\/\/ ?/gm, " "));
  return [...blocks, ...lines].map((comment) => comment.replace(/\s+/g, " ").trim());
}

function decisionsIn(file: string, comment: string): readonly Decision[] {
  return [...comment.matchAll(/DECISION \(([^)]*(?:\([^)]*\))?[^)]*)\): ((?:(?!DECISION|API [12], ).)*)/g)].map(
    ([, cited = "", text = ""]) => ({
      id: `${slug(cited.replace(/^API /, ""), 6)}-${slug(text, 4)}`,
      file,
      cited: cited.trim(),
      text: text.trim(),
    }),
  );
}

/** The id of what was decided about a route. */
function routeDecisionId(key: string): string {
  return slug(key, 20);
}

/** The first words of a text as one word. */
function slug(text: string, most: number): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, most).join("-");
}

function cell(text: string): string {
  return text.replace(/ ?\(service\.md[^)]*\)/g, "").replace(/\|/g, "\\|");
}
