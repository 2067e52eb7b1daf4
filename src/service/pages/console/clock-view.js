import { button, chip, el, empty, field, select, show, table } from "../../../pictures/page-dom.js";
import { duration, moment } from "../../../pictures/page-texts.js";
import { call } from "./api.js";

const steps = [
  ["+1 s", 1],
  ["+10 s", 10],
  ["+1 min", 60],
  ["+10 min", 600],
  ["+1 h", 3600],
  ["+1 d", 86_400],
];
const units = [
  [1, "seconds"],
  [60, "minutes"],
  [3600, "hours"],
  [86_400, "days"],
];

/** The service's clock, and what falls due next. */
export function clockView(place, { poll, clock, refreshClock }) {
  const now = el("div");
  const due = el("div.card");
  place.append(el("h1", {}, "Clock"), now, settings(refreshClock), due);
  poll(async () => {
    await refreshClock();
    show(now, clock(), clockCard);
    show(due, await call("GET", "/scheduled"), duePart);
  }, 1000);
}

/** The clock's kind of time; it is no longer real once the clock was frozen or advanced. */
export function clockChip({ mode, ahead }) {
  const text = clockOf(mode, ahead);
  return chip(text, text === "clock: real" ? "good" : "warn");
}

/** Buttons that move time forward; all that falls due on the way is done, in order. */
export function advanceButtons() {
  return el(
    "div.inline",
    {},
    steps.map(([label, seconds]) => button(label, () => advance(seconds))),
  );
}

async function advance(seconds) {
  await call("POST", "/_loadform/clock/advance", { ms: Math.round(seconds * 1000) });
  document.dispatchEvent(new CustomEvent("refresh"));
}

function clockCard({ mode, now, ahead }) {
  const set = (next) => async () => {
    await call("PUT", "/_loadform/clock", { mode: next });
    document.dispatchEvent(new CustomEvent("refresh"));
  };
  const isFrozen = mode === "frozen";
  return el(
    "div.card.stack",
    {},
    el("p.clock", {}, el("time", { datetime: now }, moment(now)), " ", clockChip({ mode, ahead })),
    el("p.soft", {}, isFrozen ? "Time is stopped until it is advanced." : "The clock runs in real time."),
    advanceButtons(),
    el(
      "div.inline",
      {},
      isFrozen ? button("Let it run", set("real"), { key: "mode" }) : button("Freeze", set("frozen"), { key: "mode" }),
    ),
  );
}

function settings(refreshClock) {
  const amount = el("input", { type: "number", min: 0, value: 90, step: "any", required: true });
  const unit = select(units);
  const at = el("input", {
    type: "text",
    placeholder: "2026-11-20T10:00:00Z",
    autocomplete: "off",
    spellcheck: "false",
  });
  const move = () => advance(Number(amount.value) * Number(unit.value));
  const set = async () => {
    await call("PUT", "/_loadform/clock", { mode: "frozen", now: at.value.trim() });
    await refreshClock();
  };
  const stay = { onsubmit: (event) => event.preventDefault() };
  return el(
    "div.pair",
    {},
    el("form.card.inline", stay, field("Advance by", amount), field("Unit", unit), button("Advance", move)),
    el("form.card.inline", stay, field("Freeze at", at), button("Set", set)),
  );
}

function duePart(scheduled) {
  const next = scheduled
    .filter(({ nextScheduled }) => nextScheduled)
    .sort((left, right) => left.nextScheduled.localeCompare(right.nextScheduled));
  if (next.length === 0) return empty("Nothing is scheduled.", "Upcoming scheduled runs appear here, next first.");
  const rows = next
    .slice(0, 50)
    .map(({ nextScheduled, configuration, scheduleType }) => [
      el("time", {}, moment(nextScheduled)),
      configuration?.name ?? "–",
      scheduleType,
    ]);
  return table("Scheduled runs", ["Next run", ["Configuration"], ["Schedule"]], rows);
}

/** The kind of time that the service's clock shows, when it is so many seconds ahead of the world. */
function clockOf(mode, ahead) {
  if (mode === "frozen") return "clock: frozen";
  // The world's moment is known to the second.
  if (Math.abs(ahead) < 2) return "clock: real";
  const seconds = Math.abs(ahead) < 60 ? Math.abs(ahead) : Math.round(Math.abs(ahead) / 60) * 60;
  return `clock: ${duration(seconds)} ${ahead > 0 ? "ahead" : "behind"}`;
}
