import { el, field, show } from "../../../pictures/page-dom.js";
import { moment } from "../../../pictures/page-texts.js";
import { Failure, readWithHeaders, useKey } from "./api.js";
import { clockChip, clockView } from "./clock-view.js";
import { faultsView } from "./faults-view.js";
import { say, sayFailure, showTrouble, unsay } from "./notices.js";
import { objectsView } from "./objects-view.js";
import { requestsView } from "./requests-view.js";
import { runsView } from "./runs-view.js";

const views = {
  objects: ["Objects", objectsView],
  runs: ["Runs", runsView],
  clock: ["Clock", clockView],
  faults: ["Faults", faultsView],
  requests: ["Requests", requestsView],
};

const nav = document.getElementById("nav");
const main = document.getElementById("main");
const status = document.getElementById("status");

/** The view that is open; leaving it ends its reads. */
let leave = new AbortController();
let isOpen = false;
let time = { mode: "real", now: "", ahead: 0 };

begin();

/** A key in the address is taken from there, so that it stays in no history. */
function begin() {
  const given = new URLSearchParams(location.search).get("key");
  if (given !== null) history.replaceState(null, "", location.pathname + location.hash);
  document.addEventListener("failure", ({ detail }) => fail(detail));
  document.addEventListener("acted", unsay);
  document.addEventListener("told", ({ detail }) => say(detail));
  addEventListener("hashchange", () => isOpen && openView());
  if (given === null) askKey();
  else void tryKey(given);
}

async function tryKey(given) {
  useKey(given);
  try {
    await refreshClock();
  } catch (failure) {
    return askKey(failure.status === 401 ? "The service does not know this key." : failure.message);
  }
  isOpen = true;
  nav.hidden = status.hidden = false;
  openView();
}

function askKey(problem) {
  isOpen = false;
  useKey(undefined);
  leave.abort();
  nav.hidden = status.hidden = true;
  unsay();
  showTrouble([]);
  const input = el("input", { type: "password", autocomplete: "off", required: true });
  const submit = (event) => {
    event.preventDefault();
    void tryKey(input.value);
  };
  const hint = "The page keeps it until it is closed. A service started without --api-key has the key “local”.";
  main.replaceChildren(
    el(
      "form.card.key-form.stack",
      { onsubmit: submit },
      el("h1", {}, "Open the console"),
      problem && el("p.notice.bad", { role: "alert" }, problem),
      field("Key of the service", input, hint),
      el("div", {}, el("button.primary", { type: "submit" }, "Open")),
      el("p.soft", {}, "No account is needed to read the ", el("a", { href: "docs" }, "docs"), "."),
    ),
  );
  input.focus();
}

function openView() {
  leave.abort();
  leave = new AbortController();
  unsay();
  const [name, ...rest] = location.hash.slice(1).split("/");
  const current = name in views ? name : "objects";
  nav.replaceChildren(
    ...Object.entries(views).map(([each, [label]]) =>
      el("a", { href: `#${each}`, "aria-current": each === current && "page" }, label),
    ),
  );
  document.title = `${views[current][0]} · loadform console`;
  main.replaceChildren();
  const poll = pollerOf(leave.signal);
  poll(refreshClock, 2000);
  const go = (hash) => {
    location.hash = hash;
  };
  views[current][1](main, { poll, go, rest: rest.join("/"), clock: () => time, refreshClock });
}

/** Repeats a task until the view is left; a failure is told until the task succeeds again. */
function pollerOf(signal) {
  const failures = new Map();
  showTrouble([]);
  return (task, everyMs) => {
    let isBusy = false;
    const turn = async () => {
      if (isBusy || signal.aborted) return;
      isBusy = true;
      const failure = await failureOf(task);
      isBusy = false;
      if (signal.aborted) return;
      if (failure?.status === 401) return askKey(lostKey);
      failures.set(task, failure);
      showTrouble([...failures.values()].filter((each) => each !== undefined));
    };
    const timer = setInterval(turn, everyMs);
    document.addEventListener("refresh", turn, { signal });
    signal.addEventListener("abort", () => clearInterval(timer));
    void turn();
  };
}

async function failureOf(task) {
  try {
    await task();
  } catch (failure) {
    if (failure instanceof Failure) return failure;
    throw failure;
  }
}

const lostKey = "The service does not know this key any more.";

function fail(failure) {
  if (!(failure instanceof Failure)) throw failure;
  if (failure.status === 401) askKey(lostKey);
  else sayFailure(failure);
}

async function refreshClock() {
  const { content, sentAt } = await readWithHeaders("/_loadform/clock");
  time = { ...content, ahead: Math.trunc((Date.parse(content.now) - sentAt) / 1000) };
  show(status, { ...time, now: time.now.slice(0, 19) }, ({ now, ...kind }) => [
    el("span", {}, moment(now)),
    " ",
    clockChip(kind),
  ]);
}
