import { asHtml } from "../../pictures/escape-html.ts";
import { formatCount, formatSeveral } from "../../pictures/figures.ts";
import { cleanLine } from "../terminal-text.ts";
import { weekMinuteText } from "./page-moment.ts";
import type { RegionLoad, RegionLoads } from "./region-loads.ts";

/** The most regions of a table. */
const most = 60;

/** The load per region on both sides, with bars; `heads` are the words for them: now, after. */
export function regionTable({ regions, hidden, unbounded }: RegionLoads, heads: readonly [string, string]): string {
  const largest = Math.max(
    1,
    ...regions.flatMap(({ live, declared }) => [live.week, declared.week, live.run, declared.run]),
  );
  const rows = regions.slice(0, most).map((each) => loadRow(each, largest));
  const rest = regions.length - most;
  const [was, is] = heads.map((head) => asHtml(head));
  const table = `<div class="scroll" role="group" aria-label="Load per region" tabindex="0"><table class="regions">
<thead><tr><th scope="col">Region</th><th scope="col">Largest run, ${was} → ${is}</th><th scope="col">Busiest minute of a week, ${was} → ${is}</th></tr></thead><tbody>
${rows.join("\n")}</tbody></table></div>`;
  const notes = [
    ...(rest > 0 ? [`… and ${formatSeveral(rest, "more region")}.`] : []),
    ...(unbounded.length > 0
      ? [`Not in these figures, as they add users until a trigger fires: ${list(unbounded)}.`]
      : []),
    ...(hidden.length > 0 ? [`Not in these figures, as their values come from the environment: ${list(hidden)}.`] : []),
  ];
  return `${regions.length === 0 ? '<p class="soft">No configuration makes load in a region.</p>' : table}${notes.map((note) => `<p class="soft">${asHtml(note)}</p>`).join("")}`;
}

function list(addresses: readonly string[]): string {
  const shown = addresses.slice(0, 10).join(", ");
  return addresses.length > 10 ? `${shown} and ${addresses.length - 10} more` : shown;
}

function loadRow({ region, live, declared }: RegionLoad, largest: number): string {
  const name = region === undefined ? "<em>chosen by the service</em>" : `<code>${asHtml(cleanLine(region))}</code>`;
  const when = declared.week === 0 ? "" : `<small>${weekMinuteText(declared.minute)}</small>`;
  return `<tr><th scope="row">${name}</th><td>${pair(live.run, declared.run, largest)}</td><td>${pair(live.week, declared.week, largest)}${when}</td></tr>`;
}

function pair(before: number, after: number, largest: number): string {
  const change = after - before;
  const tone = change > 0 ? "rises" : change < 0 ? "falls" : "same";
  const words = change === 0 ? formatSeveral(after, "user") : `${formatCount(before)} → ${formatCount(after)} users`;
  const sign = change === 0 ? "" : ` <b class="${tone}">${change > 0 ? "+" : "−"}${formatCount(Math.abs(change))}</b>`;
  const width = (value: number) => `${Number(((value / largest) * 100).toFixed(1))}%`;
  return `<span class="figure">${words}${sign}</span><span class="bars" aria-hidden="true"><i class="was" style="width:${width(before)}"></i><i class="is ${tone}" style="width:${width(after)}"></i></span>`;
}
