import { chip, el } from "../../../pictures/page-dom.js";
import { duration, moment } from "../../../pictures/page-texts.js";
import { watcherNow } from "./ask.js";

/** States with the tone of their chip, the worst first; a project that was not checked yet has none. */
export const tones = new Map([
  ["failed", "bad"],
  ["locked", "bad"],
  ["blocked", "bad"],
  ["out-of-sync", "warn"],
  ["drifted", "warn"],
  ["not checked yet", "busy"],
  ["suspended", "plain"],
  ["in-sync", "good"],
]);

/** The word for the state of a project. */
export function stateWord({ state }) {
  return state ?? "not checked yet";
}

/** Projects with the worst first, else in the order of the configuration. */
export function worstFirst(projects) {
  const order = [...tones.keys()];
  return [...projects].sort((left, right) => order.indexOf(stateWord(left)) - order.indexOf(stateWord(right)));
}

/** What a closed row shows of a project. */
export function rowOf(project) {
  const { name, reason, since, nextCheckAt, commit } = project;
  const word = stateWord(project);
  return [
    el("span.row-name", {}, chip(word, tones.get(word)), " ", el("strong", {}, name)),
    el("span.row-reason", {}, reason ?? ""),
    el(
      "span.row-facts",
      {},
      since && el("span", {}, "for ", spanTime(since)),
      commit && el("span", {}, commitWords(commit)),
      nextCheckAt && el("span", {}, "next check ", spanTime(nextCheckAt, "in ")),
    ),
  ];
}

/** A commit as git shortens it. */
export function shortCommit(commit) {
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit.slice(0, 8) : commit;
}

function commitWords({ applied, wanted }) {
  if (applied === wanted) return `commit ${shortCommit(applied)}`;
  return `commit ${applied === null ? "none" : shortCommit(applied)} → ${wanted === null ? "?" : shortCommit(wanted)}`;
}

/** A moment with the time to it or from it, renewed as it passes. */
export function momentWords(iso) {
  return iso === null ? "–" : el("span", {}, moment(iso), " (", spanTime(iso, "in ", " ago"), ")");
}

/** The time between a moment and now, as an element that is kept up to date. */
function spanTime(iso, before = "", after = "") {
  const node = el("time", { datetime: iso, title: moment(iso), "data-before": before, "data-after": after });
  tell(node);
  return node;
}

/** Brings every time in a place up to date. */
export function tellTimes(place) {
  for (const node of place.querySelectorAll("time[data-before]")) tell(node);
}

function tell(node) {
  const seconds = Math.round((Date.parse(node.dateTime) - watcherNow()) / 1000);
  const { before, after } = node.dataset;
  const isDue = seconds <= 0 && before !== "" && after === "";
  const text = isDue ? "now" : `${seconds > 0 ? before : ""}${duration(Math.abs(seconds))}${seconds > 0 ? "" : after}`;
  if (node.textContent !== text) node.textContent = text;
}
