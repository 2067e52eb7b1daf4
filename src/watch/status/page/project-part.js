import { button, chip, el, select, show, table } from "../../../pictures/page-dom.js";
import { count, moment, ms, several } from "../../../pictures/page-texts.js";
import { ask, hasToken, pathOf, watcherNow } from "./ask.js";
import { momentWords, shortCommit, tones } from "./project-row.js";

/** The places of an open project; each is filled anew only when what it shows has changed. */
export function projectPart(name) {
  const places = { actions: el("div"), facts: el("div"), findings: el("div"), plan: el("div"), history: el("div") };
  const part = el("div.part.stack", {}, ...Object.values(places));
  const fill = (project) => {
    const { history, plan, problems, outOfSync, moreOutOfSync, drifted, moreDrifted, fights, ...facts } = project;
    show(places.actions, { isSuspended: project.suspended !== null, mayWrite: hasToken() }, (value) =>
      actions(name, value),
    );
    show(places.facts, facts, factList);
    show(places.findings, { problems, outOfSync, moreOutOfSync, drifted, moreDrifted, fights }, findings);
    const hasCompared = project.lastSuccessAt !== null;
    show(places.plan, { plan, hasCompared }, (value) => planPart(name, value));
    show(places.history, history, (checks) => historyPart(name, checks));
  };
  return { part, fill };
}

const hour = 3_600_000;
const lengths = [
  ["", "until it is resumed"],
  [String(hour), "for an hour"],
  [String(4 * hour), "for 4 hours"],
  [String(24 * hour), "for a day"],
];

function actions(name, { isSuspended, mayWrite }) {
  if (!mayWrite) return [];
  const order = (label, path, body, kind) =>
    button(
      label,
      async () => {
        await ask("POST", pathOf(name, path), typeof body === "function" ? body() : body);
        document.dispatchEvent(new CustomEvent("told", { detail: `${name}: ${label.toLowerCase()}, done` }));
      },
      { key: `${path} ${label} ${name}`, kind },
    );
  if (isSuspended) return group(name, order("Resume", "/resume", {}, "primary"));
  const length = select(lengths, { "aria-label": `How long ${name} is suspended`, "data-key": `length ${name}` });
  const until = () =>
    length.value === "" ? {} : { until: new Date(watcherNow() + Number(length.value)).toISOString() };
  return group(
    name,
    order("Check now", "/check", {}, "primary"),
    order("Retry what failed", "/check", { retry: true }),
    el("span.suspend", {}, order("Suspend", "/suspend", until), length),
  );
}

function group(name, ...controls) {
  return el("div.inline", { role: "group", "aria-label": `Orders for ${name}` }, ...controls);
}

function factList(project) {
  const { commit, source, heal, prune } = project;
  const facts = [
    ["Since", momentWords(project.since)],
    project.suspended && [
      "Suspended",
      project.suspended.until ? momentWords(project.suspended.until) : "until resumed",
    ],
    ["Last check", momentWords(project.lastCheckAt)],
    ["Last comparison", momentWords(project.lastSuccessAt)],
    project.checkingSince
      ? ["Checking", momentWords(project.checkingSince)]
      : ["Next check", momentWords(project.nextCheckAt)],
    commit && ["Commit applied", code(commit.applied)],
    commit && ["Commit wanted", code(commit.wanted)],
    ...(source.is === "git"
      ? [["Repository", source.url], ["Branch", source.branch], source.path !== "" && ["Path", source.path]]
      : [["Folder", source.dir]]),
    project.environment && ["Environment", project.environment],
    project.target && ["Service", project.target],
    [
      "Heals",
      heal === null ? "nothing, it only looks" : `${healWords[heal] ?? heal}${prune ? ", deletes included" : ""}`,
    ],
    ["Objects", project.lastSuccessAt === null ? "–" : count(project.objects)],
  ];
  const shownFacts = facts.filter((fact) => fact);
  return el(
    "dl.facts",
    {},
    ...shownFacts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))),
  );
}

const healWords = { git: "what git changed", drift: "what drifted", all: "all that differs" };

function code(commit) {
  return commit === null ? "none yet" : el("code", { title: commit }, shortCommit(commit));
}

function findings({ problems, outOfSync, moreOutOfSync, drifted, moreDrifted, fights }) {
  const parts = [
    problems.length > 0 && [
      el("h2", {}, several(problems.length, "problem")),
      el("ul.problems", {}, ...problems.map(problemItem)),
    ],
    outOfSync.length > 0 && list("Out of sync: not applied yet", outOfSync, findingWords, moreOutOfSync),
    drifted.length > 0 && list("Drifted: changed outside", drifted, findingWords, moreDrifted),
    fights.length > 0 &&
      list("Left alone: something keeps changing it back", fights, ({ address, leftAloneSince }) => [
        el("code", {}, address),
        ` since ${moment(leftAloneSince)}`,
      ]),
  ];
  return parts.filter(Boolean).map((content) => el("section", {}, ...content));
}

function list(title, items, words, more = 0) {
  const shown = items.map((item) => el("li", {}, ...words(item)));
  return [
    el("h2", {}, `${title} (${items.length + more})`),
    el("ul.findings", {}, ...shown, ...(more > 0 ? [el("li", {}, `and ${more} more: the plan has all`)] : [])),
  ];
}

function findingWords({ address, action, driftedFields, busy }) {
  const more = [
    action === "no-op" ? undefined : action,
    driftedFields > 0 ? `${several(driftedFields, "field")} changed outside` : undefined,
    busy === "running" ? "a run is under way" : busy === "starting" ? "a schedule starts a run soon" : undefined,
  ];
  return [el("code", {}, address), ` ${more.filter(Boolean).join(", ")}`];
}

function problemItem({ severity, code: number, summary, detail, file, line, address }) {
  const where = [address, file && `${file}${line ? `:${line}` : ""}`].filter(Boolean).join(", ");
  return el(
    "li",
    {},
    el("p", {}, chip(severity, severity === "error" ? "bad" : "warn"), " ", el("strong", {}, summary), ` ${number}`),
    where !== "" && el("p.soft", {}, where),
    el("p", {}, detail),
  );
}

const marks = new Map([
  ["+", "added"],
  ["-", "removed"],
  ["~", "changed"],
]);

function planPart(name, { plan, hasCompared }) {
  if (plan.trim() === "") {
    const words = hasCompared
      ? "The last check that compared found no difference."
      : "No check has compared this project with its service yet.";
    return el("section", {}, el("h2", {}, "Last plan"), el("p.soft", {}, words));
  }
  const lines = plan.replace(/\n+$/, "").split("\n");
  const nodes = lines.map((line) => el("span", { class: marks.get(line.trimStart()[0]) }, `${line}\n`));
  const content = el("pre", { role: "region", "aria-label": `Last plan of ${name}`, tabindex: 0 }, ...nodes);
  return el("section", {}, el("h2", {}, "Last plan"), content);
}

function historyPart(name, checks) {
  if (checks.length === 0) return [];
  // Every check as a bar, the newest at the right; the table says the same in words.
  const bars = [...checks].reverse().map(({ state }) => el("i", { class: tones.get(state) }));
  const rows = checks.map(({ at, state, reason, ms: took, commit, healed, moreHealed = 0 }) => [
    moment(at),
    chip(state, tones.get(state)),
    reason ?? "",
    ms(took),
    commit === null ? "–" : el("code", { title: commit }, shortCommit(commit)),
    [...healed, ...(moreHealed > 0 ? [`and ${moreHealed} more`] : [])].join(", "),
  ]);
  const columns = ["Ended", ["State"], ["Reason"], "Took", ["Commit"], ["Healed"]];
  return el(
    "section",
    {},
    el("div.bars", { "aria-hidden": "true" }, ...bars),
    el(
      "details",
      {},
      el(
        "summary",
        { "data-key": `history ${name}` },
        checks.length === 1 ? "The last check" : `The last ${several(checks.length, "check")}`,
      ),
      table(`Checks of ${name}`, columns, rows),
    ),
  );
}
