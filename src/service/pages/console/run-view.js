import { chip, el, empty, show, table } from "../../../pictures/page-dom.js";
import { count, duration, figure, moment, ms, percent } from "../../../pictures/page-texts.js";
import { call, Failure, readWithHeaders } from "./api.js";
import { chart, readingAt } from "./chart.js";
import { advanceButtons } from "./clock-view.js";
import { runActions } from "./run-actions.js";
import { chartsOf, endOf, figuresOf, originOf, stateOf, titleOf } from "./run-figures.js";

/** One run: its state, what one can do with it, its figures, charts and log, as they come. */
export function runView(place, { id, poll, clock }) {
  const names = ["head", "problem", "progress", "actions", "frozen", "tiles", "kpis", "charts", "regions", "log"];
  const parts = Object.fromEntries(names.map((name) => [name, el(name === "head" ? "div.stack.run-head" : "div")]));
  let known = nothingKnown();
  place.append(el("p", {}, el("a", { href: "#runs" }, "All runs")), ...Object.values(parts));
  poll(async () => {
    const { content: run, engine } = await readWithHeaders(`/executions/${id}`);
    // The service may have been started anew, and this be another run of the same id.
    if (known.createdAt !== run.createdAt) known = await firstKnown(run);
    const { planned, intervals } = known;
    show(parts.head, { ...headOf(run), engine }, headPart);
    show(parts.actions, actionsOf(run, planned), runActions);
    show(parts.frozen, !run.completed && clock().mode === "frozen", (waits) => (waits ? frozenNotice() : []));
    show(parts.progress, progressOf(run, { planned, now: clock().now }), progressPart);
    await readIntervals(run, known);
    const { startedAt, finishedAt, completed, summary, actualConcurrentClients: users = 0 } = run;
    show(parts.tiles, { run: figuresOf(summary), users, completed }, tilesOf);
    show(parts.kpis, await readKpis(run, known), kpisPart);
    show(parts.charts, { list: [...intervals.values()], completed, startedAt, finishedAt, planned }, chartsPart);
    show(parts.regions, (run.regions ?? []).map(regionRow), regionsPart);
    const log = await readLog(run, known);
    show(parts.log, log, runLogPart);
    show(parts.problem, log.find(({ level }) => level === "Error")?.message, problemPart);
  }, 1000);
}

function nothingKnown(createdAt) {
  return { createdAt, intervals: new Map(), isWhole: false, planned: null, log: [], isLogWhole: false, kpis: [] };
}

/** Facts about a run as it begins. Its planned time is in its configuration, which may be gone; a run of iterations takes as long as they do. */
async function firstKnown({ configuration, createdAt }) {
  const { profileType, rampupSecs, durationSecs } = configuration ? await readIfThere(configuration.id) : {};
  const rampup = profileType === "Flat" ? (rampupSecs ?? 0) : 0;
  return { ...nothingKnown(createdAt), planned: durationSecs ? rampup + durationSecs : null };
}

async function readIfThere(id) {
  try {
    return await call("GET", `/test-confs/${id}`);
  } catch (failure) {
    if (failure instanceof Failure && failure.status === 404) return {};
    throw failure;
  }
}

function headOf(run) {
  const { id, startedAt, finishedAt, cancelledByUser, limitBreached, summary } = run;
  const end = endOf(summary, { cancelledByUser, limitBreached });
  return { id, title: titleOf(run), state: stateOf(run), startedAt, finishedAt, end };
}

function headPart({ id, title, state: [word, tone], engine, startedAt, finishedAt, end }) {
  const times = [startedAt && `started ${moment(startedAt)}`, finishedAt && `finished ${moment(finishedAt)}`];
  const facts = [`run ${id}`, ...times, ...end].filter(Boolean);
  return [
    el("h1", {}, title, " ", el("span", { role: "status" }, chip(word, tone)), " ", originChip(engine)),
    el("p.soft", {}, facts.join(", ")),
  ];
}

/** The origin of the figures, which is beside the verdict wherever a run is shown. */
function originChip(engine) {
  const [text] = originOf(engine);
  return text && chip(text, engine === "live" ? "plain" : "warn");
}

function actionsOf(run, planned) {
  return { id: run.id, state: stateOf(run)[0], org: run.organization?.id, isTimed: planned !== null };
}

function progressOf({ running, startedAt }, { planned, now }) {
  if (!running || !startedAt) return undefined;
  return { planned, seconds: Math.max(0, Math.floor((Date.parse(now) - Date.parse(startedAt)) / 1000)) };
}

/** A run that was extended, or that ends its iterations, continues beyond its plan. */
function progressPart(progress) {
  if (progress === undefined) return [];
  const { planned, seconds } = progress;
  if (planned === null || seconds > planned) return el("p.soft", {}, `${duration(seconds)} so far`);
  const bar = el("progress", { max: planned, value: seconds, "aria-label": "Part of the planned time" });
  return el("p.soft.progress", {}, bar, `${duration(seconds)} of ${duration(planned)}`);
}

function frozenNotice() {
  return el(
    "div.notice",
    {},
    el("p", {}, "The service's clock is frozen, so the run does not move until it is advanced."),
    advanceButtons(),
  );
}

/** Only what is new is read: the last interval known, which may still grow, and those after it; of a run that is over nothing more. */
async function readIntervals({ id, completed }, known) {
  if (known.isWhole) return;
  const { intervals } = known;
  const since = intervals.size > 0 ? `?since=${Math.max(...intervals.keys())}` : "";
  for (const interval of await call("GET", `/executions/${id}/intervals${since}`))
    intervals.set(interval.intervalStart, interval);
  known.isWhole = completed;
}

/** The log is written by the scenario's first iteration: it is read until it is there, and at the end. */
async function readLog({ id, startedAt, completed }, known) {
  if (known.isLogWhole || !startedAt) return known.log;
  if (known.log.length === 0 || completed) known.log = (await call("GET", `/executions/${id}/logs`)).slice(-shownLines);
  known.isLogWhole = completed;
  return known.log;
}

/** KPIs of the run itself, as they are so far; once it is over they do not change. */
async function readKpis({ id, startedAt, completed }, known) {
  if (known.areKpisFinal || !startedAt) return known.kpis;
  known.kpis = (await call("POST", `/executions/${id}/evaluate-kpis`)).kpis;
  known.areKpisFinal = completed;
  return known.kpis;
}

function kpisPart(kpis) {
  if (kpis.length === 0) return [];
  const rows = kpis.map(({ expr, value, success }) => [
    expr,
    value === null ? "–" : figure(value),
    chip(success ? "holds" : "does not hold", success ? "good" : "bad"),
  ]);
  return el("section.card", {}, table("KPIs", ["Expression", "Value", "Result"], rows));
}

function problemPart(message) {
  return message === undefined ? [] : el("div.notice.bad", {}, el("p", {}, message));
}

const shownLines = 50;

function runLogPart(log) {
  if (log.length === 0) return [];
  const tones = { Error: "bad", Warn: "warn" };
  const items = log.map(({ level, message }) => el("li", {}, chip(level, tones[level]), ` ${message}`));
  return el("section.card", {}, el("h2", {}, "Log"), el("ul.log", {}, items));
}

function tilesOf({ run, users, completed }) {
  const { requests, failures, success, p50, p95, users: peak } = run;
  const tiles = [
    completed ? ["Most users at once", count(peak)] : ["Users now", count(users)],
    ["Requests", count(requests)],
    ["Success rate", percent(success)],
    ["Failures", count(failures)],
    ["Response time p50", ms(p50)],
    ["Response time p95", ms(p95)],
  ];
  return el(
    "dl.tiles",
    {},
    tiles.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))),
  );
}

function chartsPart({ list, completed, ...run }) {
  if (list.length > (completed ? 1 : 0)) return el("div.charts", {}, chartsOf(list, run).map(chartCard));
  if (completed) return empty("No charts.", "The run ended within its first interval of ten seconds.");
  return empty("Nothing measured yet.", "The charts begin with the first interval of ten seconds.");
}

function chartCard(spec) {
  const reading = el("p.reading.soft", {}, readingAt(spec, 1));
  const svg = chart(spec);
  const read = (event) => {
    const box = svg.getBoundingClientRect();
    reading.textContent = readingAt(spec, (event.clientX - box.left) / box.width);
  };
  svg.addEventListener("pointermove", read);
  const keys =
    spec.lines.length > 1
      ? spec.lines.map(({ name, tone, dashed }) =>
          el(`span.key.tone-${tone}`, {}, el(dashed ? "i.dashed" : "i"), el("b", {}, name)),
        )
      : [];
  return el("figure.card", {}, el("figcaption", {}, el("h2", {}, spec.title), ...keys), svg, reading);
}

/** The cells of a region; its other data may change without need to draw. */
function regionRow({ id, region, completed, actualConcurrentClients, summary }) {
  const { requests, failures, users, p50, p95 } = figuresOf(summary);
  const figures = [
    count(completed ? users : (actualConcurrentClients ?? 0)),
    count(requests),
    count(failures),
    ms(p50),
    ms(p95),
  ];
  return [region?.name ?? `Region ${id}`, ...figures];
}

function regionsPart(rows) {
  if (rows.length === 0) return [];
  return el("section.card", {}, table("Regions", ["Region", "Users", "Requests", "Failures", "p50", "p95"], rows));
}
