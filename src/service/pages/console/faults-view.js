import { button, el, empty, field, select, show, table } from "../../../pictures/page-dom.js";
import { call, Failure } from "./api.js";

const numbers = [
  ["status", "Status", "answered instead, e.g. 503"],
  ["times", "Times", "how many calls it hits; empty: all"],
  ["after", "After", "calls that pass before"],
  ["delayMs", "Delay in ms", "the answer is held back"],
  ["effectDelayMs", "Effect delay in ms", "the work is done later, on the service's clock"],
  ["staleReads", "Stale reads", "of a write: reads that still see the old object"],
  ["truncate", "Truncate after bytes", "the answer is cut there"],
  ["retryAfterSecs", "Retry-After in s", "header of the answer"],
];

/** The planned faults, and a form for one more. */
export function faultsView(place, { poll }) {
  const list = el("div.card");
  const known = el("datalist", { id: "paths" });
  place.append(
    el("h1", {}, "Faults"),
    list,
    planForm(() => refresh()),
    known,
  );
  const refresh = async () => {
    const faults = await call("GET", "/_loadform/faults");
    show(list, faults, (all) => (all.length > 0 ? faultTable(all, refresh) : noFault()));
  };
  poll(refresh, 2000);
  // Without them the field suggests nothing.
  void fillPaths(known).catch(() => undefined);
}

function noFault() {
  return empty(
    "No fault is planned.",
    "Plan one below: the calls that it is aimed at then fail, wait or are cut as you say.",
  );
}

function faultTable(faults, refresh) {
  const rows = faults.map((fault, index) => [
    `${fault.method} ${fault.path}`,
    effectOf(fault),
    `${fault.hits}${fault.times === undefined ? "" : ` of ${fault.times}`}`,
    removal(faults, index, refresh),
  ]);
  return el("div.stack", {}, table("Planned faults", ["Calls", ["What happens"], "Hits", "Remove"], rows));
}

function removal(faults, index, refresh) {
  const { method, path } = faults[index];
  const remove = async () => {
    await call("PUT", "/_loadform/faults", faults.filter((_, other) => other !== index).map(planned));
    await refresh();
  };
  const node = button("Remove", remove, { key: `remove-${index}` });
  node.setAttribute("aria-label", `Remove the fault of ${method} ${path}`);
  return node;
}

/** A fault as it is sent: its hits are counted by the service. */
function planned({ hits: _hits, ...fault }) {
  return fault;
}

function effectOf({ status, delayMs, effectDelayMs, drop, truncate, staleReads, after, retryAfterSecs, body }) {
  const effects = [
    status !== undefined && `answers ${status}`,
    body !== undefined && "with a body of its own",
    retryAfterSecs !== undefined && `Retry-After ${retryAfterSecs} s`,
    delayMs !== undefined && `waits ${delayMs} ms`,
    effectDelayMs !== undefined && `works ${effectDelayMs} ms later`,
    drop !== undefined && `is cut ${drop} the work`,
    truncate !== undefined && `is cut after ${truncate} bytes`,
    staleReads !== undefined && `${staleReads} stale reads`,
    after !== undefined && `after ${after} calls`,
  ];
  return effects.filter(Boolean).join(", ") || "nothing";
}

function planForm(refresh) {
  const method = select(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
  const path = el("input", {
    type: "text",
    list: "paths",
    placeholder: "/test-cases/:testCaseId",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });
  const drop = select([
    ["", "no"],
    ["before", "before the work"],
    ["after", "after the work"],
  ]);
  const inputs = numbers.map(([name]) => [name, el("input", { type: "number", min: 0, inputmode: "numeric" })]);
  const problems = el("div", { role: "alert" });
  const plan = async () => {
    const values = inputs.filter(([, input]) => input.value !== "").map(([name, input]) => [name, Number(input.value)]);
    const fault = {
      method: method.value,
      path: path.value.trim(),
      ...Object.fromEntries(values),
      ...(drop.value && { drop: drop.value }),
    };
    problems.replaceChildren();
    try {
      const present = await call("GET", "/_loadform/faults");
      await call("PUT", "/_loadform/faults", [...present.map(planned), fault]);
      await refresh();
    } catch (failure) {
      if (!(failure instanceof Failure) || failure.status !== 400) throw failure;
      problems.replaceChildren(refusal(failure));
    }
  };
  const fields = inputs.map(([, input], index) => field(numbers[index][1], input, numbers[index][2]));
  return el(
    "form.card.stack",
    { onsubmit: (event) => event.preventDefault() },
    el("h2", {}, "Plan a fault"),
    el(
      "div.grid",
      {},
      field("Method", method),
      field("Path", path, "with an id, or as the routes spell it: then it hits every object"),
      field("Cut the connection", drop),
      ...fields,
    ),
    problems,
    el("div.inline", {}, button("Plan fault", plan, { kind: "primary" })),
  );
}

function refusal({ message, errors }) {
  const lines = (errors ?? []).map((each) => el("li", {}, `${each.field.replace(/^\[\d+\]\.?/, "")}: ${each.message}`));
  return el(
    "div.notice.bad",
    {},
    el("p", {}, lines.length > 0 ? "The fault was not planned:" : message),
    el("ul", {}, lines),
  );
}

async function fillPaths(list) {
  const { paths } = await call("GET", "/_loadform/openapi.json");
  const own = Object.keys(paths).filter((path) => !path.startsWith("/_loadform"));
  list.replaceChildren(...own.map((path) => el("option", { value: path.replace(/\{(\w+)\}/g, ":$1") })));
}
