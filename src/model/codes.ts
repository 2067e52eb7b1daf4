/** What a code means: one line, and the paragraph that `loadform explain` prints. */
export interface CodeText {
  readonly title: string;
  readonly text: string;
}

/** The closed table of diagnostic codes. The first digit is the stage: 1 files, 2 service, 3 plan, 4 guards, 5 state, 6 apply. */
export const codes = {
  LF1001: {
    title: "no project here",
    text: "The folder holds no loadform.yaml, loadform.config.ts or cdktf.json. Name another folder, or start one with `loadform init`.",
  },
  LF1002: {
    title: "file not readable",
    text: "A file of the project is missing, is not readable, or lies outside the project folder. Paths are relative to the file they stand in and may not leave the project.",
  },
  LF1003: {
    title: "YAML does not parse",
    text: "The file is not well-formed YAML. Nothing is planned from a project of which a part does not parse.",
  },
  LF1004: {
    title: "include matches nothing",
    text: "A glob under `include` matched no file. That is an error, because objects of a file that is not found would count as removed.",
  },
  LF1005: {
    title: "declared twice",
    text: "The same address, environment or variable stands in two places. Remove or rename one of them.",
  },
  LF1006: {
    title: "TypeScript project failed",
    text: "The TypeScript entry could not be loaded, threw, or exports no App as its default export.",
  },
  LF1007: { title: "unsupported project", text: "This kind of project entry is reserved and not built yet." },
  LF1008: {
    title: "file left as it is",
    text: "`loadform fmt` could not bring the file into canonical form without changing what it says or losing a comment, so it did not touch it.",
  },
  LF1009: {
    title: "interrupted acceptance",
    text: "A `loadform drift --accept` was killed between two files. The next command writes the rest and says which; when a file was edited meanwhile it leaves all as it is, because only you know what is meant.",
  },
  LF1101: {
    title: "unknown key",
    text: "A key that the schema does not know. Keys are the service's own field names in camelCase; see `loadform schema KIND`.",
  },
  LF1102: { title: "wrong type", text: "A value has another type than its field." },
  LF1103: { title: "missing key", text: "A key that the object needs is not there." },
  LF1104: {
    title: "value not allowed",
    text: "A value is not among those that the field takes, or lies outside its limits.",
  },
  LF1105: { title: "bad key", text: "Keys identify objects in addresses, so they match [A-Za-z0-9][A-Za-z0-9_.-]*." },
  LF1201: {
    title: "refused by the service's rules",
    text: "The object breaks a rule that the service's documents state. The service would refuse it.",
  },
  LF1202: {
    title: "doubtful by our reading",
    text: "The object breaks a rule that the service's documents leave open and loadform settled. An error against the bundled service, a warning against a live one.",
  },
  LF1203: {
    title: "secret written out",
    text: "Secret fields take only ${env:NAME} or ${file:PATH}. The value was not printed. If it was ever committed, replace it at its source.",
  },
  LF1301: { title: "reference to nothing", text: "A reference names an object that the project does not declare." },
  LF1302: {
    title: "unknown variable",
    text: "${var:NAME} names a variable that is not declared under `variables`, or a --var sets one.",
  },
  LF1303: {
    title: "environment variable not set",
    text: "${env:NAME} names a variable that is not set, or stands for a secret and is empty, as in a pipeline that lacks that secret. An error when planning and applying, a warning when validating.",
  },
  LF1304: { title: "unknown environment", text: "--env names an environment that the project does not declare." },
  LF1305: {
    title: "variable without a value",
    text: "The variable has no default and no value was given with --var, $LOADFORM_VAR_<name> or the environment.",
  },
  LF1306: {
    title: "bad moved or removed block",
    text: "An address under `moved` or `removed` is none, or contradicts the project.",
  },
  LF2001: {
    title: "service not reachable",
    text: "No request arrived at the service. Check service.url, $LOADFORM_URL and the network.",
  },
  LF2002: {
    title: "not authorized",
    text: "The service refused the key. Set $LOADFORM_API_KEY; `loadform whoami` shows who you are.",
  },
  LF2003: { title: "refused by the service", text: "The service answered with an error; its own words are shown." },
  LF2004: {
    title: "organization unclear",
    text: "The key sees several organizations, or not the one named. Set service.organization.",
  },
  LF2005: {
    title: "answer incomplete",
    text: "The service left out something that loadform needs. Absent is not empty, so nothing was planned.",
  },
  LF2006: { title: "no key", text: "A live service needs a key in $LOADFORM_API_KEY." },
  LF3001: {
    title: "already exists",
    text: "An object with the same name exists at the service and is not bound to this project. It is never taken over silently: import it, or use --adopt.",
  },
  LF3002: {
    title: "ambiguous name",
    text: "Several unbound objects have the name of one that is to be created. Rename one, or import the right one by id.",
  },
  LF3003: {
    title: "another object under this id",
    text: "The object bound to the address was made at another time than the one that now has its id: the service was reset or restored. It is not touched.",
  },
  LF3004: {
    title: "cannot be renamed",
    text: "Objects of this kind have no rename. Declare a new one beside the old one.",
  },
  LF3005: { title: "read only", text: "The service marks the object as read-only; changing it would be refused." },
  LF3006: {
    title: "dependency cycle",
    text: "Objects refer to each other in a circle, so there is no order in which to write them.",
  },
  LF3007: { title: "unknown target", text: "A --target, --replace, --test-case or --accept pattern matches nothing." },
  LF3008: {
    title: "not possible now",
    text: "The object cannot be made at this moment, e.g. a Single schedule in the past.",
  },
  LF3009: {
    title: "reference not found at the service",
    text: "A reference by id or name leads to no object of the service.",
  },
  LF3010: {
    title: "released",
    text: "A field was dropped from the project and has no default at the service, or someone else set it: it is no longer managed.",
  },
  LF3011: {
    title: "ambiguous move",
    text: "Several keys are gone and several are new with the same content, so it is not clear which object was renamed. Say so under `moved:`; taking them for new ones would destroy their history.",
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
    title: "undeclared object stays",
    text: "A test case says `unmanaged: delete`, but something that stays refers to an object below it that nobody declared. It is left alone: declare it, or refer to something that is declared.",
  },
  LF3015: {
    title: "target cuts a change in two",
    text: "What --target names can only be done together with a delete that it leaves out: something that is to go still uses the object, holds the name, or carries it. Name that too.",
  },
  LF3016: {
    title: "live value not accepted",
    text: "`loadform drift --accept` could not write what stands at the service into the project's files: it is a secret, comes from a variable, the environment or a file that others use too, or the project is a program. The message says where it comes from; change it there, or put back what is declared with `loadform apply`. Nothing was written.",
  },
  LF3017: {
    title: "acceptance not proven",
    text: "With the live values in the project's files, a plan would still differ in what was to be accepted, or change something else as well. Nothing was written; the differing fields are shown.",
  },
  LF3018: {
    title: "name of something that goes",
    text: "An object would be deleted while a new one of the same kind, place and name is created: most likely one object under another key, with other content. If so, say it under `moved:`, and it keeps its id and history; if not, nothing has to be done.",
  },
  LF4001: {
    title: "protected",
    text: "The plan would destroy an object that is protected. Set `protect: false` and apply that first, or leave it out with --target.",
  },
  LF4002: {
    title: "history would be lost",
    text: "The plan would destroy executions, recordings or objects that nobody declared. Name what may go with --allow-destroy GLOB.",
  },
  LF4003: { title: "a run is in progress", text: "The plan would destroy something that is running. Stop it first." },
  LF4004: {
    title: "too many changes",
    text: "From 10 bound objects on, more than 30 % deleted or updated, or more than 20 deletes, is more often a mistake than a wish. --force-threshold goes on.",
  },
  LF4005: {
    title: "empty project",
    text: "Nothing is declared while objects are bound. Use `loadform destroy` if that is what you want.",
  },
  LF4006: {
    title: "another target",
    text: "The state belongs to another service, organization or environment, or to another project that would lose all it has. `loadform state retarget` moves it on purpose.",
  },
  LF4007: {
    title: "in use elsewhere",
    text: "The plan would destroy something that an object which stays still uses, such as a scenario that somebody else's configuration runs. The service refuses that. Change or delete the user first; --allow-destroy GLOB tries all the same.",
  },
  LF5001: {
    title: "state locked",
    text: "Another command holds the lock. Wait, use --lock-timeout, or, if it is surely dead, `loadform state unlock ID`.",
  },
  LF5002: {
    title: "state not usable",
    text: "The state file is torn or foreign. It was left alone; the copy before the last write stands beside it as .bak.",
  },
  LF5003: { title: "state store failed", text: "The place where the state lives could not be read or written." },
  LF5004: {
    title: "lock lost",
    text: "The lock was broken by someone else while the command ran; nothing further was created.",
  },
  LF5005: { title: "not in the state", text: "No object is bound to the address." },
  LF5006: {
    title: "not confirmed",
    text: "The command changes things and there was no terminal to ask at. Run the line shown to confirm.",
  },
  LF5007: {
    title: "saved plan not usable",
    text: "The file is no plan, does not match its digest, or was made in a folder that is not here.",
  },
  LF5008: { title: "saved plan is stale", text: "Something that the plan touches has changed since. Plan again." },
  LF5009: {
    title: "state not brought along",
    text: "The place that `state:` names holds no state, but the project was applied before. Bring the state along: with the former `state:` run `loadform state pull > state.json`, with the new one `loadform state push < state.json`. A plan is empty then.",
  },
  LF6001: {
    title: "write failed",
    text: "The service refused or lost a write. What depends on it was not attempted; the rest was done. Run apply again.",
  },
  LF6002: {
    title: "changed meanwhile",
    text: "The object changed between planning and writing, so it was left alone. Run apply again.",
  },
  LF6003: { title: "answer differs", text: "The service stored something else than was sent." },
  LF6004: {
    title: "create in doubt",
    text: "A create may have happened more than once, or under another name. The candidates are listed; bind the right one with import.",
  },
  LF6005: {
    title: "interrupted",
    text: "The command was stopped. What was in flight is saved; run it again to go on.",
  },
  LF6006: {
    title: "pause or resume failed",
    text: "A schedule that could start while what it runs is half changed could not be paused, or not resumed afterwards. The journal knows of it: the next apply resumes it.",
  },
  LF6007: {
    title: "start missed",
    text: "A schedule was paused while what it runs changed, and one of its starts fell into that time. Nothing makes up for it.",
  },
  LF9001: { title: "usage", text: "The command line has a problem." },
  LF9002: {
    title: "defect",
    text: "This is a defect in loadform. Please report it with the output of LOADFORM_LOG=debug.",
  },
  LF9003: { title: "not built yet", text: "The command or flag is reserved and comes with a later version." },
  LF9004: {
    title: "files in the way",
    text: "`loadform init` and `loadform import` overwrite nothing that is not theirs, and something stands already where they would write. Name another folder, or move the files that are listed.",
  },
} as const satisfies Readonly<Record<string, CodeText>>;

/** A code of the table. */
export type Code = keyof typeof codes;
