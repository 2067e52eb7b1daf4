import { addressHtml, asHtml } from "../../pictures/escape-html.ts";
import { formatCount, formatDuration, formatSeveral } from "../../pictures/figures.ts";
import { peakOf, type RunSweep, sweepRuns } from "./overlaps.ts";
import { dayText, momentText, spanText } from "./page-moment.ts";
import { loadTrack, runTrack } from "./tracks.ts";
import { calendarDays, type ScheduleRuns, type TwoWeeks } from "./two-weeks.ts";

/** A schedule of a calendar, and what a plan does to it. */
export interface CalendarRow extends ScheduleRuns {
  readonly mark?: { readonly change: string; readonly words: string } | undefined;
}

/** The schedules of two weeks, and those before the change, for comparison. */
export interface Calendar {
  readonly weeks: TwoWeeks;
  readonly rows: readonly CalendarRow[];
  readonly others: readonly ScheduleRuns[];
  /** The words for the other side: "now". */
  readonly otherWord: string;
}

/** The most schedules that are drawn, and the most meetings that are listed. */
const most = { rows: 60, overlaps: 12 };

/** The calendar: users at once, each schedule's runs and windows, and which runs meet. All times are UTC. */
export function calendarHtml({ weeks, rows, others, otherWord }: Calendar): string {
  const marked = [...rows.filter(({ mark }) => mark), ...rows.filter(({ mark }) => !mark)];
  const sweep = sweepRuns(
    rows.filter(({ mark }) => mark?.change !== "delete"),
    most.overlaps,
  );
  const before = sweepRuns(others, 0).steps;
  const rest = rows.length - most.rows;
  const days = Array.from({ length: calendarDays }, (_, day) => dayHtml(weeks.from + day * 86_400_000));
  const [peak, was] = [sweep.steps, before].map(peakOf);
  const label = `Users at once: peak ${formatCount(peak ?? 0)}, ${otherWord} ${formatCount(was ?? 0)}`;
  return `<div class="scroll calendar" role="group" aria-label="Calendar of two weeks, UTC" tabindex="0"><div class="weeks">
<div class="label"></div><div class="days">${days.join("")}</div>
<div class="label"><strong>Users at once</strong><small>peak ${formatCount(peak ?? 0)}, ${otherWord} ${formatCount(was ?? 0)}</small></div>${loadTrack({ after: sweep.steps, before, weeks, label })}
${marked
  .slice(0, most.rows)
  .map((row) => scheduleRow(row, weeks))
  .join("\n")}
</div></div>
<p class="keys"><span class="key run"><i></i>run</span><span class="key skipped"><i></i>skipped run</span><span class="key window"><i></i>exclusion window</span><span class="key before"><i></i>users ${otherWord}</span></p>
${rest > 0 ? `<p class="soft">… and ${formatSeveral(rest, "more schedule")}, which the users at once and the table below count.</p>` : ""}${overlapTable(sweep)}`;
}

function dayHtml(at: number): string {
  const [weekday, day, month] = dayText(at);
  const isWeekend = weekday === "Sat" || weekday === "Sun";
  return `<span${isWeekend ? ' class="weekend"' : ""}>${weekday} <b>${day}</b>${day === 1 ? ` ${month}` : ""}</span>`;
}

function scheduleRow(row: CalendarRow, weeks: TwoWeeks): string {
  const { address, mark } = row;
  const words = rowWords(row);
  const sign = mark === undefined ? "" : ` <b class="${mark.change}">${asHtml(mark.words)}</b>`;
  const [schedule = "", ...above] = address.split("/").reverse();
  const place = above.reverse().join("/");
  return `<div class="label"><span><code title="${asHtml(address)}">${asHtml(schedule)}</code>${sign}</span><small>${addressHtml(place)}</small><small>${words}</small></div>${runTrack(row, weeks, `${address}: ${words}`)}`;
}

/** A schedule's two weeks in words. */
function rowWords({ runs, skipped, seconds, users, state }: ScheduleRuns): string {
  if (state === "paused") return "paused";
  if (state === "hidden") return "not shown: its values come from the environment";
  const [first] = runs;
  if (first === undefined)
    return skipped.length === 0 ? "no run in these weeks" : `all ${formatSeveral(skipped.length, "run")} skipped`;
  const size = [
    ...(users === undefined ? [] : [formatSeveral(users, "user")]),
    ...(seconds === undefined ? [] : [formatDuration(seconds)]),
  ];
  const each = size.length === 0 ? "" : ` of ${size.join(", ")}`;
  const less = skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
  return `${formatSeveral(runs.length, "run")}${each}${less}; next ${momentText(first)}`;
}

/** Runs that are under way at the same time: their load adds up, and one may disturb the figures of the other. */
function overlapTable({ overlaps, count }: RunSweep): string {
  if (count === 0) return '<p class="soft">No two scheduled runs are under way at the same time.</p>';
  const rows = overlaps.map(({ addresses, times, first: [start, end], users }) => {
    const names = addresses.map((address) => `<li><code>${addressHtml(address)}</code></li>`);
    return `<tr><th scope="row"><ul>${names.slice(0, 8).join("")}${names.length > 8 ? `<li class="soft">… and ${names.length - 8} more</li>` : ""}</ul></th><td>${formatCount(users)}</td><td>${times}</td><td>${spanText(start, end)}</td></tr>`;
  });
  const rest = count - overlaps.length;
  return `<div class="scroll" role="group" aria-label="Runs at the same time" tabindex="0"><table class="meet"><caption>At the same time <small>${formatSeveral(count, "overlap")} of schedules in these weeks</small></caption>
<thead><tr><th scope="col">Schedules</th><th scope="col">Users together</th><th scope="col">Times</th><th scope="col">First</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>${
    rest > 0 ? `<p class="soft">… and ${formatCount(rest)} more, of fewer users.</p>` : ""
  }`;
}
