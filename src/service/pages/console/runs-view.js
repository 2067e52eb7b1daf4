import { call, Failure } from "./api.js";
import { button, chip, el, empty, field, select, show, table } from "./dom.js";
import { figuresOf, stateOf } from "./run-figures.js";
import { runView } from "./run-view.js";
import { count, moment, ms } from "./texts.js";

/** The latest runs, and a run started from here; `runs/7` shows one. */
export function runsView(place, context) {
  const id = Number(context.rest);
  if (context.rest !== "" && Number.isInteger(id)) return runView(place, { ...context, id });
  const starter = el("div");
  const list = el("div.card");
  place.append(el("h1", {}, "Runs"), starter, list);
  context.poll(async () => {
    const configurations = await knownConfigurations();
    show(starter, configurations, (all) => startForm(all, context.go));
    const runs = await latestRuns(configurations);
    show(list, runs, (all) => (all.length > 0 ? runTable(all) : noRun()));
  }, 2000);
}

async function knownConfigurations() {
  const testCases = await call("GET", "/test-cases?down=true");
  return testCases.flatMap(({ name: testCase, configurations = [] }) =>
    configurations.map(({ id, name }) => ({ id, name, testCase })),
  );
}

const most = 50;

async function latestRuns(configurations) {
  const lists = await Promise.all(
    configurations.slice(0, most).map(async ({ id, name, testCase }) => {
      const path = `/test-confs/${id}/executions?limit=20&down=false&includeScript=false`;
      return (await historyOf(path)).map((run) => ({ ...run, name, testCase }));
    }),
  );
  return lists
    .flat()
    .sort((left, right) => right.id - left.id)
    .slice(0, most);
}

/** A configuration may be deleted between two reads. */
async function historyOf(path) {
  try {
    return await call("GET", path);
  } catch (failure) {
    if (failure instanceof Failure && failure.status === 404) return [];
    throw failure;
  }
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

function runTable(runs) {
  const rows = runs.map((run) => {
    const { requests, success, p95 } = figuresOf(run.summary);
    return [
      el("a", { href: `#runs/${run.id}`, "data-key": `run-${run.id}` }, `${run.testCase}: ${run.name} #${run.id}`),
      chip(...stateOf(run)),
      el("time", {}, moment(run.startedAt ?? run.createdAt)),
      count(requests),
      success === null ? "–" : `${Number((success * 100).toFixed(2))} %`,
      ms(p95),
    ];
  });
  return table("Latest runs", ["Run", ["State"], ["Started"], "Requests", "Success", "p95"], rows);
}
