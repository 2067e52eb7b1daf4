import { topAddress } from "../../model/address.ts";
import type { GraphMark } from "../../model/graph/object-graph.ts";
import { groupBy } from "../../model/group-by.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import { formatCount, formatSeveral } from "../../pictures/figures.ts";
import type { Change } from "../../plan/plan.ts";
import { markOf } from "../graph/plan-graph.ts";
import { type Instances, instanceGroups } from "../plan-text.ts";
import { type ChangeStyle, changeHtml } from "./change-html.ts";

/** A list of changes as a part of a page. */
export interface ChangePart {
  readonly changes: readonly Change[];
  readonly style: Omit<ChangeStyle, "isOpen" | "rows">;
  /** The words for what happens to one; by default its action. */
  readonly wordsOf?: (change: Change) => string;
  /** The words for all of one kind, in filters and counts. */
  readonly words?: ChangeWords;
  /** The instances of modules by keys of their test cases; where several change they are groups, too. */
  readonly instances?: Instances | undefined;
}

/** Words for what happens to objects. */
export type ChangeWords = Readonly<Record<GraphMark["change"], string>>;

/** A page with more changes than this shows them folded. */
const mostOpen = 25;

/** Rows of all texts of a page together, and the least and the most of one. */
const rowsOf = { page: 6_000, least: 12, most: 400 };

const actions: ChangeWords = {
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  state: "state only",
};

/** Changes by the test case, or whatever is at the top, that they belong to, and by the instance of a module around it: each a folding group. Without script all of it is there, and folds. */
export function changeGroups({ changes, style, wordsOf, words = actions, instances = new Map() }: ChangePart): string {
  const texts = changes.reduce((sum, { fields }) => sum + fields.filter(isLong).length, 0);
  const rows = Math.max(rowsOf.least, Math.min(rowsOf.most, Math.floor(rowsOf.page / Math.max(1, texts))));
  const full = { ...style, rows, isOpen: changes.length <= mostOpen };
  const group = (name: string, found: readonly Change[], html: string) =>
    `<details class="group" open><summary><span>${name}</span><span class="counts">${countChips(found, words)}</span></summary>
${html}</details>`;
  const html = instanceGroups(changes, instances).map(({ instance, changes: own }) => {
    const tops = groupBy(own, ({ address }) => topAddress(address));
    const name = instance === undefined ? undefined : `<b>${asHtml(instance)}</b>`;
    const beside = name !== undefined && tops.size === 1 ? ` <span class="soft">instance ${name}</span>` : "";
    const parts = [...tops].map(([top, found]) => {
      const all = found.map((change) => changeHtml(change, full, wordsOf?.(change))).join("\n");
      return group(`<code>${asHtml(top)}</code>${beside}`, found, all);
    });
    const isAround = name !== undefined && beside === "";
    return isAround ? group(`Instance ${name}`, own, parts.join("\n")) : parts.join("\n");
  });
  return `${changes.length > 1 ? filterBar(changes, words) : ""}<div class="groups">${html.join("\n")}</div>`;
}

/** Texts, files and lists, which may take many lines. */
function isLong({ before, after }: Change["fields"][number]): boolean {
  return [before, after].some(
    (value) => (typeof value === "object" && value !== null) || (typeof value === "string" && value.includes("\n")),
  );
}

function counts(changes: readonly Change[]): ReadonlyMap<keyof ChangeWords, number> {
  const found = new Map<keyof ChangeWords, number>();
  for (const change of changes) {
    const kind = markOf(change)?.change ?? "state";
    found.set(kind, (found.get(kind) ?? 0) + 1);
  }
  return found;
}

function countChips(changes: readonly Change[], words: ChangeWords): string {
  return [...counts(changes)]
    .map(([kind, count]) => `<b class="${kind}">${formatCount(count)} ${words[kind]}</b>`)
    .join("");
}

/** Search and filters, which the page's script shows: without it they could do nothing. */
function filterBar(changes: readonly Change[], words: ChangeWords): string {
  const buttons = [...counts(changes)].map(
    ([kind, count]) =>
      `<button type="button" class="${kind}" aria-pressed="true" data-filter="${kind}">${words[kind]} ${formatCount(count)}</button>`,
  );
  return `<div class="filters" hidden>
<input type="search" placeholder="Search addresses, names and values" aria-label="Search the changes" autocomplete="off" spellcheck="false">
<div class="row" role="group" aria-label="Filter by action">${buttons.join("")}</div>
<div class="row"><button type="button" data-fold="open">Unfold all</button><button type="button" data-fold="shut">Fold all</button></div>
<p class="found soft" role="status">${formatSeveral(changes.length, "object")}</p>
</div>
`;
}
