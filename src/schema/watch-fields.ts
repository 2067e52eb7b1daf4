import { choice, flag, group, integer, list, map, text } from "../model/field.ts";

/** The states of a project; a change of any is told where `on` names none. */
export const watchedStates = ["suspended", "failed", "locked", "blocked", "out-of-sync", "drifted", "in-sync"] as const;

/** States and events that are told, as `on` of a notification names them. */
const toldOn = [...watchedStates, "healed", "fought", "recovered"] as const;

const git = group(
  {
    url: text({
      description: "Address of the repository, as git takes it, without credentials: the user's git signs in.",
      required: true,
      examples: ["https://git.example.com/tests.git"],
    }),
    branch: text({ description: "The branch to follow.", required: true, examples: ["main"] }),
    path: text({ description: "Folder of the project in the repository. Default: its top.", examples: ["load"] }),
  },
  { description: "Where it is, in a repository: a folder of a branch." },
);

const suspension = group(
  {
    during: text({
      description: "Days and times in which it is not checked.",
      required: true,
      examples: ["Mon-Fri 08:00-18:00"],
    }),
    timeZone: text({ description: "Time zone of the hours. Default: UTC.", examples: ["Europe/Berlin"] }),
  },
  { description: "Hours without checks." },
);

const project = group(
  {
    name: text({ description: "A name of its own among the projects.", required: true, examples: ["webshop"] }),
    git,
    dir: text({ description: "Where it is, on this machine; relative to this file.", examples: ["../search"] }),
    environment: text({ description: "Environment of the project to use.", examples: ["production"] }),
    target: text({
      description: "The only service that the project may speak to. A project from git needs it.",
      examples: ["https://load.example.com/api"],
    }),
    heal: choice(["git", "drift", "all"], {
      description: "What is applied: what git changed, what changed outside, or both. Default: nothing.",
    }),
    prune: flag({ description: "Objects may be deleted and replaced, too.", default: false }),
    interval: integer({
      description: "Between two checks, ±10 %. Default: 120.",
      unit: "seconds",
      minimum: 1,
      maximum: 86_400,
    }),
    timeoutSecs: integer({ description: "A check is ended after so long.", minimum: 1, default: 600 }),
    allowPrograms: flag({ description: "A program of the repository may run on this machine.", default: false }),
    pass: map(text({ description: "Text, with ${env:NAME} for values of the watcher's environment." }), {
      description: "Variables that its checks get besides PATH, HOME, locale, proxies and certificates.",
      examples: [{ LOADFORM_API_KEY: "${env:SHOP_KEY}" }],
    }),
    suspend: list(suspension, { description: "Hours of the week in which it is not checked." }),
  },
  { description: "A project to watch." },
);

const notification = group(
  {
    webhook: text({ description: "Address that is sent JSON.", required: true, examples: ["${env:SLACK_WEBHOOK}"] }),
    on: list(choice(toldOn, { description: "A state or an event." }), {
      description: "States and events that are told. Default: every change of the state.",
    }),
  },
  { description: "Somebody who is told." },
);

/** The fields of watch.yaml. */
export const watchFields = {
  projects: list(project, { description: "The projects to watch.", required: true }),
  notify: list(notification, { description: "Who is told what." }),
  listen: group(
    {
      address: text({ description: "HOST:PORT of the status page.", required: true, examples: ["127.0.0.1:8090"] }),
      token: text({ description: "Whoever has it may read and ask for checks.", secret: "env" }),
      hooks: group(
        { secret: text({ description: "What GitHub signs with, or GitLab sends.", secret: "env" }) },
        { description: "Webhooks of a repository, which make its projects be checked at once." },
      ),
    },
    { description: "The status page, its API, metrics and webhooks." },
  ),
  queue: text({ description: "Database through which several workers share the projects.", secret: "env" }),
} as const;

/** The whole file. */
export const watchDocument = group(watchFields, { description: "What loadform watch --config reads." });
