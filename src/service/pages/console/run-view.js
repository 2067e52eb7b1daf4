import { addressOf, call, download, Failure } from "./api.js";
import { chart, readingAt } from "./chart.js";
import { advanceButtons } from "./clock-view.js";
import { button, chip, el, empty, field, show, table } from "./dom.js";
import { chartsOf, figuresOf, stateOf } from "./run-figures.js";
import { count, moment, ms } from "./texts.js";

/** One run: its state, what one can do with it, its figures and charts, as they come. */
export function runView(place, { id, poll, clock }) {
  const parts = {
    head: el("div.stack.run-head"),
    actions: el("div"),
    frozen: el("div"),
    tiles: el("div"),
    charts: el("div"),
    regions: el("div"),
  };
  const known = { intervals: new Map(), missing: undefined, isWhole: false };
  place.append(el("p", {}, el("a", { href: "#runs" }, "All runs")), ...Object.values(parts));
  poll(async () => {
    const run = await call("GET", `/executions/${id}`);
    show(parts.head, headOf(run), (head) => headOfRun(head));
    show(parts.actions, { id, state: stateOf(run)[0], conf: run.configuration?.id }, actionsOf);
    const isWaiting = !run.completed && clock().mode === "frozen";
    show(parts.frozen, isWaiting, (waits) => (waits ? frozenNotice() : []));
    await readIntervals(run, known);
    const { missing } = known;
    const list = [...known.intervals.values()];
    show(
      parts.tiles,
      { run: figuresOf(run.summary), users: run.actualConcurrentClients ?? 0, completed: run.completed },
      tilesOf,
    );
    show(parts.charts, { list, missing, startedAt: run.startedAt, finishedAt: run.finishedAt }, chartsPart);
    show(parts.regions, run.regions ?? [], regionsPart);
  }, 1000);
}

function headOf(run) {
  const { id, testCase, configuration, startedAt, finishedAt, cancelledByUser } = run;
  return {
    id,
    title: `${testCase?.name ?? "Run"}: ${configuration?.name ?? ""}`,
    state: stateOf(run),
    startedAt,
    finishedAt,
    cancelledByUser,
  };
}

function headOfRun({ id, title, state, startedAt, finishedAt, cancelledByUser }) {
  const [word, tone] = state;
  const times = [startedAt && `started ${moment(startedAt)}`, finishedAt && `finished ${moment(finishedAt)}`];
  const facts = [`run ${id}`, ...times, cancelledByUser && "stopped by a user"].filter(Boolean);
  return [
    el("h1", {}, title, " ", el("span", { role: "status" }, chip(word, tone))),
    el("p.soft", {}, facts.join(", ")),
  ];
}

function actionsOf({ id, state, conf }) {
  const isOver = ["passed", "failed", "completed"].includes(state);
  const users = el("input", { type: "number", min: 1, value: 10, "data-key": "users" });
  const add = () => call("POST", `/executions/${id}/add-users`, { concurrentClients: Number(users.value) });
  const put = (what) => () => call("PUT", `/executions/${id}/${what}`);
  const over = [
    button("Result as PDF", () => savePdf(id)),
    conf !== undefined && button("Share link", () => share(conf)),
  ];
  const open = [
    state === "ready" && button("Start now", put("manual-start"), { kind: "primary" }),
    state === "running" && field("Users to add", users),
    state === "running" && button("Add users", add),
    button("Stop", put("stop"), { kind: "danger" }),
  ];
  return el("div.inline", {}, isOver ? over : open);
}

async function savePdf(id) {
  const url = URL.createObjectURL(await download(`/executions/${id}/results.pdf`));
  el("a", { href: url, download: `results-${id}.pdf` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A link that is readable without a key: it is told, and one opens it. */
async function share(conf) {
  const { name } = await call("POST", `/test-confs/${conf}/share`);
  const detail = ["Readable without the key: ", el("a", { href: addressOf(`/p/${name}`) }, `/p/${name}`)];
  document.dispatchEvent(new CustomEvent("told", { detail }));
}

function frozenNotice() {
  return el(
    "div.notice",
    {},
    el("p", {}, "The service's clock is frozen, so the run stands still until it is advanced."),
    advanceButtons(),
  );
}

/** Only what is new is read: the last interval known, which may still grow, and those after it; of a run that is over nothing more. */
async function readIntervals({ id, completed }, known) {
  if (known.isWhole || known.missing) return;
  const { intervals } = known;
  const since = intervals.size > 0 ? `?since=${Math.max(...intervals.keys())}` : "";
  try {
    for (const interval of await call("GET", `/executions/${id}/intervals${since}`))
      intervals.set(interval.intervalStart, interval);
    known.isWhole = completed;
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.status !== 501) throw failure;
    known.missing = failure.message;
  }
}

function tilesOf({ run, users, completed }) {
  const { requests, failures, success, p50, p95, users: peak } = run;
  const tiles = [
    completed ? ["Most users at once", count(peak)] : ["Users now", count(users)],
    ["Requests", count(requests)],
    ["Success rate", success === null ? "–" : `${Number((success * 100).toFixed(2))} %`],
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

function chartsPart({ list, missing, ...run }) {
  if (missing) return empty("No charts.", missing);
  if (list.length === 0)
    return empty("Nothing measured yet.", "The charts begin with the first interval of ten seconds.");
  return el("div.charts", {}, chartsOf(list, run).map(chartCard));
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

function regionsPart(regions) {
  if (regions.length === 0) return [];
  const rows = regions.map(({ id, region, concurrentClients, summary }) => {
    const { requests, failures, p50, p95 } = figuresOf(summary);
    return [
      region?.name ?? `Region ${id}`,
      count(concurrentClients ?? 0),
      count(requests),
      count(failures),
      ms(p50),
      ms(p95),
    ];
  });
  return el("section.card", {}, table("Regions", ["Region", "Users", "Requests", "Failures", "p50", "p95"], rows));
}
