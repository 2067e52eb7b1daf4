import { button, chip, el, empty, field, select, show, table } from "../../../pictures/page-dom.js";
import { count, several } from "../../../pictures/page-texts.js";
import { call } from "./api.js";

const kept = 2000;
const shownRows = 200;

/** The request log, the newest first, as it grows. */
export function requestsView(place, { poll }) {
  const state = { entries: [], last: 0 };
  const list = el("div.card");
  const method = select([["", "any"], "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"], { onchange: () => draw() });
  const path = el("input", {
    type: "search",
    placeholder: "part of a path",
    oninput: () => draw(),
    autocomplete: "off",
  });
  const only = select(
    [
      ["", "all"],
      ["unknown", "with unknown fields"],
      ["refused", "refused (4xx, 5xx)"],
      ["nowhere", "no such route"],
    ],
    { onchange: () => draw() },
  );
  const draw = () => {
    const found = state.entries.filter((entry) =>
      matches(entry, { method: method.value, path: path.value, only: only.value }),
    );
    show(
      list,
      { found: found.slice(-shownRows).reverse(), total: state.entries.length, matching: found.length },
      logPart,
    );
  };
  const clear = async () => {
    await call("DELETE", "/_loadform/requests");
    Object.assign(state, { entries: [], last: 0 });
    draw();
  };
  const stay = { onsubmit: (event) => event.preventDefault() };
  place.append(
    el("h1", {}, "Request log"),
    el(
      "form.card.inline",
      stay,
      field("Method", method),
      field("Path contains", path),
      field("Show", only),
      button("Clear log", clear),
    ),
    list,
  );
  poll(async () => {
    state.entries = (await grownLog(state)).slice(-kept);
    state.last = state.entries.at(-1)?.id ?? 0;
    draw();
  }, 1500);
}

/** The last entry known is read with the new ones: a log without it was cleared, or is that of a service started anew. */
async function grownLog({ entries, last }) {
  if (last === 0) return await call("GET", "/_loadform/requests?after=0");
  const [first, ...more] = await call("GET", `/_loadform/requests?after=${last - 1}`);
  const isSame = first?.id === last && first.at === entries.at(-1).at;
  return isSame ? [...entries, ...more] : await call("GET", "/_loadform/requests?after=0");
}

function matches(entry, { method, path, only }) {
  if (method !== "" && entry.method !== method) return false;
  if (!`${entry.path} ${entry.route ?? ""}`.toLowerCase().includes(path.trim().toLowerCase())) return false;
  if (only === "unknown") return entry.unknownFields.length > 0;
  if (only === "refused") return entry.status >= 400 || entry.status === 0;
  return only === "nowhere" ? entry.route === undefined : true;
}

function logPart({ found, total, matching }) {
  if (total === 0)
    return empty("No request yet.", "Calls to the service appear here as they arrive, except the console's own reads.");
  if (found.length === 0) return empty("No request like that.", `${count(total)} others are in the log.`);
  const rows = found.map((entry) => [
    [
      el("b", {}, entry.method),
      ` ${entry.path}`,
      entry.query && el("span.soft", {}, `?${entry.query}`),
      notesOf(entry),
    ],
    chip(entry.status === 0 ? "cut" : String(entry.status), toneOf(entry.status)),
    el("time", {}, entry.at.slice(11, 23)),
    `${entry.durationMs.toFixed(1)} ms`,
  ]);
  const caption =
    matching > found.length
      ? `The last ${count(found.length)} of ${count(matching)} requests`
      : `${several(matching, "request")}, newest first`;
  return table(caption, ["Request", "Status", "Time", "Took"], rows);
}

function toneOf(status) {
  if (status === 0 || status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}

/** Notes on a request: fields that nothing read, and the routes nearest to one that is none. */
function notesOf({ unknownFields, route, nearest = [] }) {
  if (unknownFields.length === 0 && route !== undefined) return undefined;
  const unknown = unknownFields.flatMap((name) => [" ", el("mark", {}, name)]);
  const near = nearest.flatMap((each, index) => [index > 0 ? ", " : " ", el("code", {}, each)]);
  return el(
    "span.notes",
    {},
    unknown.length > 0 && el("span", {}, "Nothing read", ...unknown),
    route === undefined &&
      el("span", {}, near.length > 0 ? "No such route. The nearest are" : "No such route.", ...near),
  );
}
