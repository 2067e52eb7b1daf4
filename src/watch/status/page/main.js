import { chip, el, empty, field, show } from "../../../pictures/page-dom.js";
import { moment, several } from "../../../pictures/page-texts.js";
import { ask, Failure, hasToken, pathOf, useToken, watcherNow } from "./ask.js";
import { projectPart } from "./project-part.js";
import { rowOf, stateWord, tellTimes, tones, worstFirst } from "./project-row.js";

const byId = (id) => document.getElementById(id);
const [main, trouble, said, news, seen] = ["main", "trouble", "said", "news", "seen"].map(byId);
const everyMs = 3000;

/** Rows by the name of their project. */
const rows = new Map();
const chosen = { state: undefined, words: "" };
let projects = [];
let frame;
let isBusy = false;
let isAsking = false;
let isOpenAtFirst = false;

begin();

function begin() {
  document.addEventListener("failure", ({ detail }) => sayFailure(detail));
  document.addEventListener("acted", () => said.replaceChildren());
  document.addEventListener("told", ({ detail }) => announce(detail));
  document.addEventListener("refresh", refresh);
  document.addEventListener("visibilitychange", refresh);
  addEventListener("online", refresh);
  setInterval(refresh, everyMs);
  setInterval(() => tellTimes(main), 1000);
  void refresh();
}

/** Reads what is shown. A page that nobody sees does not ask. */
async function refresh() {
  if (isBusy || isAsking || document.hidden) return;
  isBusy = true;
  try {
    const status = await ask("GET", "/api/status");
    if (frame === undefined) buildFrame();
    showProjects(status.projects);
    await Promise.all([...rows].filter(([, { node }]) => node.open).map(([name]) => fillPart(name)));
    showTrouble(undefined);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.status === 401) askToken(hasToken() ? failure.message : undefined);
    else showTrouble(failure);
  } finally {
    isBusy = false;
  }
}

async function fillPart(name) {
  const row = rows.get(name);
  try {
    row.part.fill(await ask("GET", pathOf(name)));
  } catch (failure) {
    // It was removed between the two reads.
    if (failure.status !== 404) throw failure;
  }
}

function askToken(problem) {
  isAsking = true;
  useToken(undefined);
  frame = undefined;
  rows.clear();
  showTrouble(undefined);
  const input = el("input", { type: "password", autocomplete: "off", required: true });
  const submit = (event) => {
    event.preventDefault();
    useToken(input.value);
    isAsking = false;
    void refresh();
  };
  main.replaceChildren(
    el(
      "form.card.token-form.stack",
      { onsubmit: submit },
      el("h1", {}, "Open the watcher"),
      problem && el("p.notice.bad", { role: "alert" }, problem),
      field("Token", input, "That of listen.token or $LOADFORM_WATCH_TOKEN. The page keeps it until it is closed."),
      el("div", {}, el("button.primary", { type: "submit" }, "Open")),
    ),
  );
  input.focus();
}

function buildFrame() {
  const words = el("input", {
    type: "search",
    autocomplete: "off",
    oninput: ({ target }) => choose({ words: target.value }),
  });
  frame = {
    counts: el("div.chips", { role: "group", "aria-label": "Show by state" }),
    rows: el("ul.projects"),
    none: el("div"),
  };
  main.replaceChildren(
    el("h1", {}, "Projects"),
    el("div.inline.choose", {}, frame.counts, field("Name contains", words)),
    frame.rows,
    frame.none,
    el("p.soft", {}, "Times are in UTC."),
  );
  byId("read-only").hidden = hasToken();
  main.focus();
}

function choose(change) {
  Object.assign(chosen, change);
  showProjects(projects);
}

function showProjects(given) {
  const before = new Map(projects.map((project) => [project.name, stateWord(project)]));
  projects = given;
  announceChanges(before);
  const counts = [...tones.keys()].map((word) => [word, given.filter((each) => stateWord(each) === word).length]);
  show(frame.counts, { counts, state: chosen.state }, stateButtons);
  const words = chosen.words.trim().toLowerCase();
  const shownNow = worstFirst(given).filter(
    (project) =>
      (chosen.state === undefined || stateWord(project) === chosen.state) && project.name.toLowerCase().includes(words),
  );
  showRows(shownNow);
  show(frame.none, { all: given.length, found: shownNow.length }, ({ all, found }) => {
    if (all === 0) return empty("No project is watched.");
    return found === 0 ? empty("No project is like that.", "Choose All, or another name.") : [];
  });
  const bad = given.filter((each) => tones.get(stateWord(each)) === "bad").length;
  document.title = `${bad > 0 ? `${bad} of ${several(given.length, "project")} in trouble` : "Projects"} · loadform watch`;
}

function stateButtons({ counts, state }) {
  const all = [[undefined, counts.reduce((sum, [, number]) => sum + number, 0)], ...counts];
  return all
    .filter(([word, number]) => number > 0 || word === state || word === undefined)
    .map(([word, number]) => {
      const pressed = String(word === state);
      return el(
        "button.state",
        {
          type: "button",
          "aria-pressed": pressed,
          "data-key": `state ${word}`,
          onclick: () => choose({ state: word }),
        },
        word === undefined ? "All" : chip(word, tones.get(word)),
        ` ${number}`,
      );
    });
}

/** Rows that remain are not made anew, so that what was opened and where one reads do not change. */
function showRows(wanted) {
  const focused = document.activeElement;
  const known = new Set(projects.map(({ name }) => name));
  for (const name of [...rows.keys()]) if (!known.has(name)) rows.delete(name);
  const items = wanted.map((project) => {
    const row = rows.get(project.name) ?? makeRow(project.name);
    show(row.summary, project, rowOf);
    return row.item;
  });
  const isSame =
    items.length === frame.rows.children.length && items.every((item, at) => frame.rows.children[at] === item);
  if (!isSame) frame.rows.replaceChildren(...items);
  if (focused !== document.activeElement && frame.rows.contains(focused)) focused.focus();
  openAtFirst();
}

function makeRow(name) {
  const summary = el("summary", { "data-key": `row ${name}` });
  const part = projectPart(name);
  const node = el("details.card.project", { ontoggle: () => node.open && void openPart(name) }, summary, part.part);
  const row = { item: el("li", {}, node), node, summary, part };
  rows.set(name, row);
  return row;
}

async function openPart(name) {
  try {
    await fillPart(name);
  } catch (failure) {
    if (failure.status === 0) showTrouble(failure);
    else sayFailure(failure);
  }
}

/** The project that the address names, as a link to this page does. */
function openAtFirst() {
  if (isOpenAtFirst) return;
  isOpenAtFirst = true;
  const row = rows.get(decodeURIComponent(location.hash.slice(1)));
  if (row === undefined) return;
  row.node.open = true;
  row.node.scrollIntoView();
}

/** One sentence for all that changed, to be read aloud. */
function announceChanges(before) {
  const changed = projects.filter(
    (project) => before.has(project.name) && before.get(project.name) !== stateWord(project),
  );
  if (changed.length === 0) return;
  const first = changed.slice(0, 3).map((project) => `${project.name} is ${stateWord(project)}`);
  announce([...first, ...(changed.length > 3 ? [`${changed.length - 3} more changed`] : [])].join(", "));
}

function announce(text) {
  news.textContent = text;
}

let lostAt;

/** What keeps the page from reading, for as long as it does; what was read remains. */
function showTrouble(failure) {
  if (failure === undefined) lostAt = undefined;
  else lostAt ??= new Date(watcherNow()).toISOString();
  seen.hidden = failure !== undefined || frame === undefined;
  if (failure === undefined) seen.textContent = `as of ${moment(new Date(watcherNow()).toISOString()).slice(11)}`;
  show(trouble, failure && { message: failure.message, lostAt }, (value) =>
    value === undefined
      ? []
      : el(
          "div.notice.bad",
          {},
          el("p", {}, `${value.message} What is shown is as it was at ${moment(value.lostAt)}. `, silence),
        ),
  );
}

const silence = "It is asked again every few seconds, and this page continues by itself.";

/** Shows the failure of an order until it is closed, or until the next one. */
function sayFailure(failure) {
  if (!(failure instanceof Failure)) throw failure;
  if (failure.status === 401) return askToken(failure.message);
  const doubt = failure.status === 0 ? " Whether it was done is not known." : "";
  const close = () => {
    said.replaceChildren();
    main.focus();
  };
  said.replaceChildren(
    el(
      "div.notice.bad",
      {},
      el("p", {}, failure.message, doubt),
      el("button.plain", { type: "button", onclick: close }, "Close"),
    ),
  );
}
