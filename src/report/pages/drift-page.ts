import type { Drift, DriftedObject } from "../../drift/find-drift.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import { formatSeveral } from "../../pictures/figures.ts";
import type { Change } from "../../plan/plan.ts";
import {
  acceptable,
  byHandHead,
  byHandLines,
  driftCounts,
  fieldNote,
  isUndeclared,
  objectNote,
  type WaysOut,
} from "../drift-text.ts";
import { cleanLine } from "../terminal-text.ts";
import { type ChangeWords, changeGroups } from "./change-groups.ts";
import type { PagePart, PageSection, PageVerdict } from "./page-section.ts";
import { forecastParts, graphPart, type PageInput, placeFacts, unmanagedPart } from "./picture-parts.ts";
import { problemsHtml } from "./problem-html.ts";

/** The input of a section about drift. */
export interface DriftPageInput extends PageInput {
  /** Absent where nothing could be compared. */
  readonly drift?: Drift;
  readonly waysOut: WaysOut;
}

/** Short words for what happened outside. */
const outside: ChangeWords = {
  create: "added",
  update: "changed",
  replace: "replaced",
  delete: "deleted",
  state: "bound otherwise",
};

/** The most commands of one kind. */
const most = 10;

/** Drift as a section of a page: what was changed outside, field by field, and the ways out. */
export function driftSection(input: DriftPageInput): PageSection {
  const { drift, problems, lineOf, createdAt, name, waysOut } = input;
  const isDrifted = drift !== undefined && drift.drifted.length > 0;
  return {
    overline: "Drift",
    name,
    verdict: driftVerdict(input),
    facts:
      drift === undefined
        ? []
        : [...placeFacts(drift), ["Compared", `${createdAt.slice(0, 16).replace("T", " ")} UTC`]],
    tiles: drift === undefined ? [] : driftTiles(drift),
    problems: problemsHtml(problems, lineOf),
    parts: drift === undefined ? [] : driftParts(drift, input),
    next: isDrifted ? { words: "To put back what is declared:", commands: [waysOut.putBack()] } : undefined,
  };
}

function driftVerdict({ drift, problems, blocked }: DriftPageInput): PageVerdict {
  const errors = problems.filter(({ severity }) => severity === "error").length - blocked;
  if (drift === undefined || errors > 0)
    return { tone: "failed", words: `Drift could not be determined: ${formatSeveral(errors, "error")}` };
  if (blocked > 0)
    return { tone: "failed", words: `Blocked by ${formatSeveral(blocked, "guard")}: nothing was compared` };
  const isDrifted = drift.drifted.length > 0 || isUndeclared(drift);
  return { tone: isDrifted ? "open" : "passed", words: driftCounts(drift) };
}

function driftTiles({ drifted, changed, unmanaged }: Drift): PageSection["tiles"] {
  const of = (action: DriftedObject["action"]) => drifted.filter((each) => each.action === action).length;
  return [
    { name: "changed outside", count: of("update"), tone: "update" },
    { name: "deleted outside", count: of("delete"), tone: "delete" },
    { name: "added outside", count: of("create"), tone: "create" },
    { name: "not applied yet", count: changed.length, tone: "state" },
    ...(unmanaged.length === 0 ? [] : [{ name: "not declared", count: unmanaged.length, tone: "plain" }]),
  ];
}

function driftParts(drift: Drift, input: DriftPageInput): readonly PagePart[] {
  const { drifted, changed } = drift;
  const { contents } = input;
  const byAddress = new Map(drifted.map((object) => [object.address, object]));
  const noteOf = (address: string, name: string) => {
    const found = byAddress.get(address)?.fields.find(({ field }) => field === name);
    return found === undefined || found.cause === "drift" ? "" : fieldNote(found);
  };
  const wordsOf = ({ address }: Change) => driftWords(byAddress.get(address));
  const heads = ["applied", "now"] as const;
  return [
    ...(drifted.length === 0
      ? []
      : [
          {
            id: "drift",
            title: "Changed outside",
            html: changeGroups({ changes: drifted, style: { contents, heads, noteOf }, wordsOf, words: outside }),
          },
        ]),
    ...waysOutPart(drift, input.waysOut),
    ...(changed.length === 0
      ? []
      : [
          {
            id: "changes",
            title: "Changed in the project and not applied yet",
            note: "not drift",
            html: changeGroups({ changes: changed, style: { contents, heads: ["now", "after"] } }),
          },
        ]),
    ...forecastParts({ ...input, changes: drifted, heads: ["at the service", "as declared"], side: "live" }),
    ...graphPart(input, drifted, ({ action }) => outside[action === "no-op" || action === "forget" ? "state" : action]),
    ...unmanagedPart(drift),
  ];
}

function driftWords(object: DriftedObject | undefined): string {
  if (object === undefined || object.action === "update") return "changed outside";
  return objectNote(object);
}

function waysOutPart(drift: Drift, { putBack, accept, declare }: WaysOut): readonly PagePart[] {
  const accepted = acceptable(drift).map(({ address }) => accept(address));
  const byHand = byHandLines(drift);
  const lists = [
    ...(drift.drifted.length < 2
      ? []
      : [
          commands(
            "Put back one object:",
            drift.drifted.map(({ address }) => putBack(address)),
          ),
        ]),
    ...(accepted.length === 0
      ? []
      : [commands("Or keep what is at the service, written into the project's YAML:", accepted)]),
    ...(byHand.length === 0 ? [] : [commands(byHandHead, byHand)]),
    ...(isUndeclared(drift)
      ? [commands("Keep objects that nobody declared, written into the project:", [declare])]
      : []),
  ];
  return lists.length === 0 ? [] : [{ id: "ways-out", title: "Ways out", html: lists.join("\n") }];
}

function commands(words: string, lines: readonly string[]): string {
  const rest = lines.length - most;
  const shown = lines.slice(0, most).map((line) => asHtml(cleanLine(line, 2_000)));
  const more = rest > 0 ? `\n# … and ${rest} more` : "";
  return `<div class="next"><p>${asHtml(words)}</p><pre class="command" tabindex="0">${shown.join("\n")}${more}</pre></div>`;
}
