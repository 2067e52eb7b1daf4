import { resolve } from "node:path";
import type { Code } from "../../model/codes.ts";
import { type DocumentPath, errorOf, warningOf, wrongValue } from "../../model/diagnostic.ts";
import { isTimeZone, parseWeekSpans } from "../../model/limits.ts";
import type { Report } from "../collect-problems.ts";
import { describeValue } from "../describe-value.ts";
import type { ProjectFile, WatchFile } from "./watch-file.ts";

/** Reports what the shape of a watch file does not say. */
export function checkProjects({ projects, queue }: WatchFile, folder: string, report: Report): void {
  const refuse = refusing(report);
  const names = new Set<string>();
  const places = new Map<string, string>();
  for (const [index, project] of projects.entries()) {
    const { name } = project;
    const path = ["projects", index];
    if (name.trim() === "") refuse("LF1104", [...path, "name"], ["name is empty", "Each needs a name of its own"]);
    else if (names.has(name))
      refuse("LF1005", [...path, "name"], [`there are two projects ${name}`, "Each needs a name of its own"]);
    names.add(name);
    const place = sourcePlace(project, folder);
    const other = places.get(place);
    if (other !== undefined)
      refuse("LF1005", path, [
        `${name} is the same project as ${other}`,
        "Both have one state, and each would put back what the other applies: remove one, or give it another environment",
      ]);
    places.set(place, name);
    checkSource(project, path, refuse);
    checkTarget(project, path, refuse);
    checkPassed(project, path, report);
    for (const [at, each] of (project.suspend ?? []).entries()) checkHours(each, [...path, "suspend", at], refuse);
    if (queue !== undefined && project.dir !== undefined)
      refuse(
        "LF1104",
        [...path, "dir"],
        [
          "a folder cannot be shared",
          "With queue any worker may check a project, and only this machine has the folder: use git",
        ],
      );
  }
  if (projects.length === 0) refuse("LF1103", ["projects"], ["no project is watched", "List at least one"]);
}

/** A place of files with what chooses their state, as text: the environment, which variables may choose too. */
function sourcePlace({ git, dir, environment = "", pass = {} }: ProjectFile, folder: string): string {
  const path = git === undefined ? resolve(folder, dir ?? "") : resolve("/", git.path ?? "");
  return JSON.stringify([git?.url, git?.branch, path, environment, Object.entries(pass).sort()]);
}

/** Reports what cannot be told of anything; values from the environment are in it, and are not shown. */
export function checkReceivers({ notify }: Pick<WatchFile, "notify">, report: Report): void {
  const refuse = refusing(report);
  for (const [index, { webhook }] of (notify ?? []).entries())
    if (!(/^https?:\/\//i.test(webhook) && URL.canParse(webhook)))
      refuse(
        "LF1104",
        ["notify", index, "webhook"],
        ["webhook is not a web address", "It (not shown) must be a whole address that begins with http:// or https://"],
      );
}

type Refuse = (code: Code, path: DocumentPath, words: readonly [summary: string, detail: string]) => void;

function refusing(report: Report): Refuse {
  return (code, path, [summary, detail]) =>
    report({ severity: "error", code, summary, detail, place: { path, at: "value" } });
}

function checkSource({ git, dir, name }: ProjectFile, path: DocumentPath, refuse: Refuse): void {
  if ((git === undefined) === (dir === undefined)) {
    const detail =
      "A project is either in a repository (git) or in a folder of this machine (dir): write one of the two";
    refuse("LF1103", path, [git === undefined ? `${name} is nowhere` : `${name} is in two places`, detail]);
  }
  if (git === undefined) return;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/@]*:[^/@]*@|^https?:\/\/[^/]*@/i.test(git.url))
    refuse(
      "LF1203",
      [...path, "git", "url"],
      [
        "the address of the repository has credentials",
        "The user's git signs in: store them in a credential helper, or use ssh, and write the address without them",
      ],
    );
  if (git.url === "" || /^-|^ext::/.test(git.url))
    refuse(
      "LF1104",
      [...path, "git", "url"],
      ["git.url is not the address of a repository", "It takes https://…, ssh://…, user@host:path, or a path"],
    );
  if (!/^[^\s~^:?*[\\-][^\s~^:?*[\\]*$/.test(git.branch) || git.branch.includes(".."))
    refuse(
      "LF1104",
      [...path, "git", "branch"],
      ["git.branch is not the name of a branch", "Write it as git branch shows it, as in main"],
    );
  if ((git.path ?? "").split("/").includes(".."))
    refuse(
      "LF1104",
      [...path, "git", "path"],
      ["git.path leaves the repository", "Write a folder below its top, as in load"],
    );
}

function checkPassed({ pass = {} }: ProjectFile, path: DocumentPath, report: Report): void {
  for (const [name, value] of Object.entries(pass)) {
    const place = { path: [...path, "pass", name], at: "value" } as const;
    const isName = /^[A-Za-z_]\w*$/.test(name);
    const lack = "It takes letters, digits and _, as in SHOP_KEY";
    if (!isName) report({ ...errorOf("LF1104", `${name} is not the name of a variable`, lack), place });
    const written = `The key (not shown) is written out. Set a variable of the watcher, and write \${env:NAME} here`;
    if (name === "LOADFORM_API_KEY" && !/^\$\{env:[^}]*\}$/.test(value))
      report({ ...warningOf("LF1203", `${name} is a secret`, written), place });
  }
}

function checkTarget({ git, target }: ProjectFile, path: DocumentPath, refuse: Refuse): void {
  if (git !== undefined && target === undefined)
    refuse("LF1103", path, [
      "target is missing",
      "Whoever may push to the repository could name any service: write the only one that the project may speak to",
    ]);
  if (target !== undefined && !(/^https?:\/\//.test(target) && URL.canParse(target)))
    refuse(
      "LF1104",
      [...path, "target"],
      ["target is not the address of a service", wrongValue(describeValue(target), "http://… or https://…")],
    );
}

function checkHours(
  { during, timeZone }: NonNullable<ProjectFile["suspend"]>[number],
  path: DocumentPath,
  refuse: Refuse,
): void {
  if (parseWeekSpans(during) === undefined)
    refuse(
      "LF1104",
      [...path, "during"],
      [
        "during does not take this value",
        wrongValue(describeValue(during), "days and times, as in Mon-Fri 08:00-18:00 or Sat,Sun 22:00-06:00"),
      ],
    );
  if (timeZone !== undefined && !isTimeZone(timeZone))
    refuse(
      "LF1104",
      [...path, "timeZone"],
      [
        "timeZone does not take this value",
        wrongValue(describeValue(timeZone), "a time zone such as Europe/Berlin or UTC"),
      ],
    );
}
