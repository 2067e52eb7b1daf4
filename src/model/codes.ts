import { type CodeText, fileCodes } from "./codes/file-codes.ts";
import { watchCodes } from "./codes/watch-codes.ts";

/** The closed table of diagnostic codes. The first digit is the stage: 1 files, 2 service, 3 plan, 4 guards, 5 state, 6 apply, 7 runs, 8 watch. */
export const codes = {
  ...fileCodes,
  LF2001: {
    title: "service not reachable",
    text: "The service did not answer. The message says why: nothing listens there, the name is unknown, the certificate is not accepted ($NODE_EXTRA_CA_CERTS names a file with the certificate of a private authority), a proxy was not reached ($HTTPS_PROXY, $HTTP_PROXY, $NO_PROXY), or the answer took longer than --timeout. Check service.url and $LOADFORM_URL.",
  },
  LF2002: {
    title: "not authorized",
    text: "The service refused the key. Set $LOADFORM_API_KEY, or the variable that service.apiKey names; `loadform whoami` shows who you are.",
  },
  LF2003: {
    title: "refused by the service",
    text: "The service answered with an error; the message quotes it. A 404 for a whole list, a web page or a redirection usually means that the path in service.url is wrong.",
  },
  LF2004: {
    title: "organization unclear",
    text: "The key sees several organizations, or not the one named. Set service.organization.",
  },
  LF2005: {
    title: "answer incomplete",
    text: "The service omitted something that loadform needs. Objects missing from the answer may exist all the same, so nothing was planned.",
  },
  LF2006: {
    title: "no key",
    text: "A live service needs a key in $LOADFORM_API_KEY, or in the variable that service.apiKey names. For `loadform serve` it is `local`, unless it was started with --api-key.",
  },
  LF2007: {
    title: "one key for two services",
    text: 'Of several projects in one command, those of different services need keys in different variables, or the key of one service would be sent to the other: name the variable of each in service.apiKey, as in apiKey: "${env:SHOP_KEY}". With $LOADFORM_URL all of them would act on that one service. Nothing was asked of any service.',
  },
  LF3001: {
    title: "already exists",
    text: "An object with the same name exists at the service and is not bound to this project. loadform never takes it over unless you ask for it: import it, or use --adopt.",
  },
  LF3002: {
    title: "ambiguous name",
    text: "Several unbound objects have the name of an object to create. Rename one, or import the right one by id.",
  },
  LF3003: {
    title: "another object under this id",
    text: "The object that now has this id was not created when the bound one was: the service was reset or restored. It is not touched.",
  },
  LF3004: {
    title: "cannot be renamed",
    text: "Objects of this kind cannot be renamed. Declare a new one under another key.",
  },
  LF3005: { title: "read only", text: "The service marks the object as read-only; changing it would be refused." },
  LF3006: {
    title: "dependency cycle",
    text: "Objects refer to each other in a circle, so they cannot be written in any order.",
  },
  LF3007: {
    title: "unknown target",
    text: "A --target, --replace, --test-case, --object or --accept matches nothing. As a warning: a --target matches objects, but not objects below them that would change, too.",
  },
  LF3008: {
    title: "not possible now",
    text: "The object cannot be created now, e.g. a Single schedule whose moment has passed.",
  },
  LF3009: {
    title: "reference not found at the service",
    text: "A reference by id or name matches no object there, or one that the plan deletes or renames. As a warning: it names a deactivated region, in which no agent runs.",
  },
  LF3010: {
    title: "released",
    text: "A field is no longer declared, and it has no default at the service, or somebody else has set it since. Its live value remains and is no longer managed.",
  },
  LF3011: {
    title: "ambiguous move",
    text: "Several keys were removed, and several new ones have the same content, so it is not clear which object was renamed. Declare the renames under `moved:`; as new objects they would lose their history.",
  },
  LF3012: {
    title: "left out of the import",
    text: "Something at the service could not be written into the project's files, or must be added to them by hand; the message says what and why. Nothing at the service was changed.",
  },
  LF3013: {
    title: "import not proven",
    text: "A plan from the imported files would change something, so nothing was moved into the project. The differing fields are shown.",
  },
  LF3014: {
    title: "object remains",
    text: "An object would be deleted, but another object still uses it, so it is not deleted. If it is an undeclared object below a test case with `unmanaged: delete`: declare it, or refer to a declared one. A tag that a scenario outside the plan uses is forgotten and remains at the service, because deleting it would remove it from that scenario; `--allow-destroy` with its address deletes it (loadform does not check whether results of runs use the tag).",
  },
  LF3015: {
    title: "target leaves out a part",
    text: "The target can only be changed together with a delete that --target leaves out: an object to be deleted still uses it, has its name, or contains it. Name that object, too.",
  },
  LF3016: {
    title: "live value not accepted",
    text: "`loadform drift --accept` could not write the live value into the project's files: it is a secret, comes from a variable, the environment, a module with several instances or a file that other objects use too, or the project is a program. The message says where it comes from; change it there, or put back what is declared with `loadform apply`. Nothing was written.",
  },
  LF3017: {
    title: "acceptance not proven",
    text: "With the live values in the project's files, a plan would still differ in the accepted fields, or change something else. Nothing was written; the differing fields are shown.",
  },
  LF3018: {
    title: "same name as what is deleted",
    text: "An object would be deleted while a new one of the same kind, place and name is created: most likely it is the same object under another key. If so, declare it under `moved:`, and it keeps its id and history; if not, there is nothing to do.",
  },
  LF3019: {
    title: "refused in rehearsal",
    text: "Before a plan is shown it is carried out on a copy of the bundled service that has the live objects, and there this change was refused. Change what is declared; `--no-rehearsal` plans without it. Against a live service it is an error where the API's documents state the rule, and else a warning, for that service may have other rules.",
  },
  LF3020: {
    title: "a plan after it would not be empty",
    text: "In rehearsal everything was applied, and a second plan still had changes: most likely a defect of loadform. Please report it; `--no-rehearsal` plans without it.",
  },
  LF3021: {
    title: "not rehearsed",
    text: "The live objects have something that the bundled service cannot have, so the plan was not tried on a copy of it. The plan itself is valid.",
  },
  LF4001: {
    title: "protected",
    text: "The plan would destroy an object that is protected. Set `protect: false` and apply that first, or leave it out with --target.",
  },
  LF4002: {
    title: "history would be lost",
    text: "The plan would destroy executions, recordings or objects that nobody declared. --allow-destroy GLOB names what may be destroyed.",
  },
  LF4003: { title: "a run is in progress", text: "The plan would destroy something that is running. Stop it first." },
  LF4004: {
    title: "too many changes",
    text: "Deleting more than 20 objects, or deleting or updating more than 30 % of 10 or more, is usually a mistake. --force-threshold applies the plan all the same.",
  },
  LF4005: {
    title: "empty project",
    text: "Nothing is declared, but objects are bound. Use `loadform destroy` if that is what you want.",
  },
  LF4006: {
    title: "another target",
    text: "The state belongs to another service, organization or environment, or to another project that would lose everything. If that is intended, `loadform state retarget` moves it. If the project was only renamed, a message says so, and nothing is blocked.",
  },
  LF4007: {
    title: "in use elsewhere",
    text: "The plan would destroy something that another object still uses, such as a scenario that somebody else's configuration runs. The service refuses that. Change or delete what uses it first; --allow-destroy GLOB tries it anyway.",
  },
  LF4008: {
    title: "everything is gone",
    text: "The state binds ten or more objects, and none of them exists at the service: most likely it is another service or organization, or it was reset. Set the right one, or move the state with `loadform state retarget`; if they really are all gone, --force-threshold creates them again. `loadform destroy` forgets them.",
  },
  LF4009: {
    title: "load above a limit",
    text: "What the project declares adds up to more users or user-hours than `limits` of the project, or the file that $LOADFORM_LIMITS names, allow. The message says what adds up and where it is declared. No flag overrides it; `enforce: warn` turns the project's own limits into warnings.",
  },
  LF4010: { title: "denied hours", text: "A run would be under way in hours that the limits deny." },
  LF4011: { title: "region not allowed", text: "A configuration may run in a region that the limits do not allow." },
  LF5001: {
    title: "state locked",
    text: "Another command holds the lock. Wait, use --lock-timeout, or, if you are sure that the command no longer runs, `loadform state unlock ID`.",
  },
  LF5002: {
    title: "state not usable",
    text: "The state is incomplete, or was not written by loadform. It was left alone; the backup from before the last write is next to it, with the extension .bak.",
  },
  LF5003: { title: "state store failed", text: "The place where the state is stored could not be read or written." },
  LF5004: { title: "lock lost", text: "Somebody broke the lock while the command ran; nothing more was created." },
  LF5005: { title: "not in the state", text: "No object is bound to the address." },
  LF5006: {
    title: "not confirmed",
    text: "The command would change something, and there was no terminal to ask for confirmation. To confirm, run the command that the message shows.",
  },
  LF5007: {
    title: "saved plan not usable",
    text: "The file is not a plan, does not match its digest, or was made in a folder that does not exist here.",
  },
  LF5008: {
    title: "not the plan that was saved or reviewed",
    text: "Something that the plan depends on has changed since it was saved, or since its digest was taken. Plan again.",
  },
  LF5009: {
    title: "state left behind",
    text: "There is no state in the place that `state:` names, but the project was applied before. Move the state: run `loadform state pull > state.json` with the former `state:`, and `loadform state push < state.json` with the new one. After that, a plan shows no changes.",
  },
  LF5010: {
    title: "two projects with one state or one object",
    text: "Two projects of one command keep their state in the same place, or bind or create the same object: what one applies, the other would take back. None of the two is planned or applied. Give each project a `state:` of its own; where a project was copied with its state, remove the copied state.",
  },
  LF5011: {
    title: "snapshot not usable",
    text: "The file is no snapshot, is cut off or edited, has more than 200 MB, cannot be read, or was made of another project, environment or target. Make a new one with a key: `loadform snapshot --out FILE`.",
  },
  LF5012: {
    title: "planned against a snapshot",
    text: "The plan is of the moment of its snapshot; the message says how old that is. A plan that deletes, replaces or adopts objects, or sets or changes a secret or a value from `${env:…}`, has no digest: to get one, plan with a key and without `--against`.",
  },
  LF5013: {
    title: "snapshot would show a secret",
    text: "A name, an address or a key of the project equals a secret of it, so no snapshot was written. Rename it.",
  },
  LF6001: {
    title: "write failed",
    text: "The service refused or lost a write. Objects that depend on it were not attempted; everything else was done. Run apply again.",
  },
  LF6002: {
    title: "changed meanwhile",
    text: "The object changed between planning and writing, so it was left alone. Run apply again.",
  },
  LF6003: { title: "answer differs", text: "The service stored something other than what was sent." },
  LF6004: {
    title: "create in doubt",
    text: "An object may have been created more than once, or under another name. The candidates are listed; bind the right one with import.",
  },
  LF6005: { title: "interrupted", text: "The command was stopped. What it did is saved; run it again to continue." },
  LF6006: {
    title: "pause or resume failed",
    text: "A schedule that would start while the objects it runs are being changed could not be paused, or could not be resumed afterwards. The journal records it: the next apply resumes it.",
  },
  LF6007: {
    title: "start missed",
    text: "A schedule was paused while the objects it runs were changed, and it would have started in that time. The missed start is not repeated.",
  },
  LF7001: {
    title: "not as declared",
    text: "A run is of what is at the service. The configuration, its scenario, data, providers or regions differ from what the project declares, so nothing was started. Apply the project first; `--stale-ok` runs what is there and says so in every output.",
  },
  LF7002: {
    title: "a run is under way",
    text: "A run of the same configuration has not ended. Two at once would disturb each other, so nothing was started: wait with --wait-running, or judge that run with --execution.",
  },
  LF7003: {
    title: "nothing to run",
    text: "The command line names no gate, configuration or run that there is, or the service cannot do what was asked. The message lists what there is.",
  },
  ...watchCodes,
  LF9001: { title: "usage", text: "The command line is not valid." },
  LF9002: {
    title: "defect",
    text: "This is a defect in loadform. Please report it with the output of LOADFORM_LOG=debug.",
  },
  LF9004: {
    title: "files in the way",
    text: "`loadform init` and `loadform import` never overwrite files that they did not write, and one of their files exists already. Name another folder, or move the files that the message lists.",
  },
} as const satisfies Readonly<Record<string, CodeText>>;

export type Code = keyof typeof codes;
