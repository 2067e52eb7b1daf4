import { button, chip, el, empty, field, select, show, table } from "../../../pictures/page-dom.js";
import { count, moment, ms, percent } from "../../../pictures/page-texts.js";
import { call, Failure, readWithHeaders } from "./api.js";
import { figuresOf, originOf, stateOf, titleOf } from "./run-figures.js";
import { runView } from "./run-view.js";

/** The latest runs, and a run started from here; `runs/7` shows one. */
export function runsView(place, context) {
  const id = Number(context.rest);
  if (context.rest !== "" && Number.isInteger(id)) return runView(place, { ...context, id });
  const starter = el("div");
  const list = el("div.card");
  place.append(el("h1", {}, "Runs"), starter, list);
  context.poll(async () => {
    const configurations = await knownConfigurations();
    show(starter, configurations, (all) => {
      const choice = starter.querySelector("select")?.value;
      const form = startForm(all, context.go);
      if (all.some(({ id }) => String(id) === choice)) form.querySelector("select").value = choice;
      return form;
    });
    const { total, results } = await call("POST", "/search", { limit: shownRuns });
    const engines = await Promise.all(results.map(engineOf));
    show(list, { total, results, engines }, (runs) => (runs.results.length > 0 ? runTable(runs) : noRun()));
  }, 2000);
}

const shownRuns = 50;

/** Who carried out a run never changes, and no list says it: it is read once of each. */
const knownEngines = new Map();

async function engineOf({ id, createdAt }) {
  const run = `${id} ${createdAt}`;
  if (!knownEngines.has(run)) knownEngines.set(run, await readEngine(id));
  return knownEngines.get(run);
}

async function readEngine(id) {
  try {
    return (await readWithHeaders(`/executions/${id}?includeSummary=false`)).engine;
  } catch (failure) {
    // It was deleted since it was listed.
    if (failure instanceof Failure && failure.status === 404) return null;
    throw failure;
  }
}

async function knownConfigurations() {
  const testCases = await call("GET", "/test-cases?down=true");
  return testCases.flatMap(({ name: testCase, configurations = [] }) =>
    configurations.map(({ id, name }) => ({ id, name, testCase })),
  );
}

function startForm(configurations, go) {
  if (configurations.length === 0)
    return empty("No configuration yet.", "A run is started of a test configuration: create one first.");
  const choice = select(
    configurations.map(({ id, name, testCase }) => [id, `${testCase}: ${name}`]),
    { "data-key": "configuration" },
  );
  const start = async () => {
    const execution = await call("POST", `/test-confs/${choice.value}/executions`);
    go(`runs/${execution.id}`);
  };
  return el(
    "form.card.inline",
    { onsubmit: (event) => event.preventDefault() },
    field("Configuration", choice),
    button("Start run", start, { kind: "primary" }),
  );
}

function noRun() {
  return empty("No run yet.", "Start one above, or with POST /test-confs/:confId/executions.");
}

function runTable({ total, results, engines }) {
  const rows = results.map((run, index) => {
    const [, origin] = originOf(engines[index]);
    const { requests, success, p95 } = figuresOf(run.summary);
    return [
      el("a", { href: `#runs/${run.id}`, "data-key": `run-${run.id}` }, `${titleOf(run)} #${run.id}`),
      el("span.chips", {}, chip(...stateOf(run)), origin && chip(origin, origin === "simulated" ? "warn" : "plain")),
      el("time", {}, moment(run.startedAt ?? run.createdAt)),
      count(requests),
      percent(success),
      ms(p95),
    ];
  });
  const caption = total > results.length ? `The latest ${results.length} of ${count(total)} runs` : "Latest runs";
  return table(caption, ["Run", ["State"], ["Started"], "Requests", "Success", "p95"], rows);
}
