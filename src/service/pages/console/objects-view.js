import { button, chip, el, empty, field, show, table } from "../../../pictures/page-dom.js";
import { duration, moment, several } from "../../../pictures/page-texts.js";
import { call } from "./api.js";

/** Test cases with what is in them, and the regions of the organizations. */
export function objectsView(place, { poll, go }) {
  const tree = el("div.stack");
  const regions = el("div.stack");
  const sought = el("input", {
    type: "search",
    autocomplete: "off",
    placeholder: "part of a name",
    oninput: () => draw(),
  });
  const finder = el("form.card.inline", { hidden: true, onsubmit: (event) => event.preventDefault() });
  finder.append(field("Find", sought));
  let testCases = [];
  const draw = () => {
    finder.hidden = testCases.length <= fewCases;
    const found = testCases.filter((each) => isNamed(each, sought.value.trim().toLowerCase()));
    const state = { found: found.slice(0, shownCases), matching: found.length, total: testCases.length };
    show(tree, state, (now) => treePart(now, go));
  };
  place.append(el("h1", {}, "Objects"), finder, tree, regions);
  poll(async () => {
    testCases = await call("GET", "/test-cases?down=true&deep=true");
    draw();
    const { orgs } = await call("GET", "/login");
    const lists = await Promise.all(orgs.map(({ data }) => call("GET", `/orgs/${data.id}/regions`)));
    const known = orgs.map(({ data }, index) => ({ name: data.name, regions: lists[index].map(regionFacts) }));
    show(regions, known, (all) => all.map(regionCard));
  }, 5000);
}

/** So many test cases stand open; of so many is one page made. */
const fewCases = 5;
const shownCases = 50;

/** True when the name of the test case, or of anything in it, contains the text. */
function isNamed({ name, scenarios = [], configurations = [], gateways = [], dataStores = [] }, text) {
  const parts = [...scenarios, ...configurations, ...gateways, ...dataStores];
  return [{ name }, ...parts].some((each) => each.name?.toLowerCase().includes(text));
}

function treePart({ found, matching, total }, go) {
  if (total === 0) return noTestCase();
  if (matching === 0) return empty("No object of that name.", `${several(total, "test case")} are there.`);
  const rest =
    matching > found.length &&
    `The first ${found.length} of ${several(matching, "test case")}: find the others by name.`;
  return [
    ...found.map((each) => testCaseCard(each, { go, isOpen: total <= fewCases || matching === 1 })),
    rest && el("p.soft", {}, rest),
  ].filter(Boolean);
}

function regionFacts({ id, name, description, active }) {
  return { id, name, description, active };
}

function noTestCase() {
  const apply = el("code", {}, "loadform apply");
  return empty("No test case yet.", "Create one with ", apply, " or POST /test-cases; it appears here by itself.");
}

function testCaseCard(testCase, { go, isOpen }) {
  const { id, name, description, configurations = [], scenarios = [], gateways = [], dataStores = [] } = testCase;
  const parts = [several(scenarios.length, "scenario"), several(configurations.length, "configuration")];
  return el(
    "details.card.tree",
    { open: isOpen },
    el(
      "summary",
      { "data-key": `case-${id}` },
      el("h2", {}, name),
      el("span.soft", {}, `test case ${id}, ${parts.join(", ")}`),
    ),
    description && el("p.soft", {}, description),
    group("Scenarios", scenarios, scenarioRow),
    group("Configurations", configurations, (each) => configurationRow(each, go)),
    group("Schedules", configurations.flatMap(schedulesOf), scheduleRow),
    group("Gateways", gateways, gatewayRow),
    group("Data stores", dataStores, (each) => objectRow(["data", each], dataFacts(each))),
  );
}

function group(title, objects, row) {
  if (objects.length === 0) return undefined;
  return el(
    "section.group",
    {},
    el("h3", {}, title),
    el(
      "ul",
      {},
      objects.map((each) => el("li", {}, row(each))),
    ),
  );
}

function scenarioRow(scenario) {
  const { scriptType, length = 0, dataStores = [] } = scenario;
  const facts = [scriptType, `${several(length, "byte")} of script`];
  return objectRow(["scenario", scenario], [...facts, ...dataStores.map(({ name }) => name)].join(", "));
}

function configurationRow(configuration, go) {
  const { id, profileType, concurrentClients, durationSecs, iterations, script } = configuration;
  const basis = durationSecs ? `for ${duration(durationSecs)}` : `${several(iterations ?? 0, "iteration")} each`;
  const users = concurrentClients ? `${several(concurrentClients, "user")} per region` : "rising users";
  const facts = [profileType, users, basis, script && `runs ${script.name}`].filter(Boolean).join(", ");
  const run = button(
    "Start run",
    async () => {
      const execution = await call("POST", `/test-confs/${id}/executions`);
      go(`runs/${execution.id}`);
    },
    { key: `start-${id}` },
  );
  run.setAttribute("aria-label", `Start run of ${configuration.name}`);
  return objectRow(["configuration", configuration], facts, run);
}

function gatewayRow(gateway) {
  return objectRow(["gateway", gateway], gateway.keys?.find(({ isPrimary }) => isPrimary)?.url ?? "");
}

function schedulesOf({ schedules = [], name }) {
  return schedules.map((schedule) => ({ ...schedule, name }));
}

function scheduleRow(schedule) {
  const { scheduleType, recurringInterval, nextScheduled, active } = schedule;
  const kind = scheduleType === "Single" ? "once" : `every ${String(recurringInterval).toLowerCase()}`;
  const next = nextScheduled ? `next at ${moment(nextScheduled)}` : "no next run";
  return objectRow(
    ["schedule", schedule],
    `${kind}, ${next}`,
    active ? chip("active", "good") : chip("paused", "warn"),
  );
}

function dataFacts({ type, size, numRows }) {
  return [
    type,
    `${several(size ?? 0, "byte")}`,
    numRows === null || numRows === undefined ? undefined : several(numRows, "row"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** An object's line; opened, it shows all of it as the API answers it. */
function objectRow([kind, object], facts, ...actions) {
  const { id, name } = object;
  const line = el(
    "summary",
    { "data-key": `${kind}-${id}` },
    el("strong", {}, name),
    ` ${facts}`,
    el("span.soft", {}, ` #${id}`),
  );
  const json = el("pre", { tabindex: 0, "aria-label": `${name} as JSON` });
  const ontoggle = () => {
    json.textContent = JSON.stringify(object, null, 2);
  };
  return el("div.row", {}, el("details", { ontoggle }, line, json), ...actions);
}

function regionCard({ name, regions }) {
  const rows = regions.map(({ id, name: region, description, active }) => [
    region,
    active ? chip("active", "good") : chip("inactive", "warn"),
    description || "–",
    String(id),
  ]);
  return el("section.card", {}, table(`Regions of ${name}`, ["Region", ["State"], ["Description"], "Id"], rows));
}
