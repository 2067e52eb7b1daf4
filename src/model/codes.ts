/** The closed table of diagnostic codes, with the paragraph that `loadform explain` prints. The first digit is the stage: 1 files, 2 service, 3 plan, 4 guards, 5 state, 6 apply. */
export const codes = {
  LF1001: {
    title: "no project here",
    text: "The folder has no loadform.yaml, loadform.config.ts or cdktf.json. Name another folder, or start one with `loadform init`.",
  },
  LF1002: {
    title: "file not readable",
    text: "A file of the project is missing, cannot be read, or is outside the project folder. Paths are relative to the file in which they are written and may not leave the project.",
  },
  LF1003: {
    title: "YAML does not parse",
    text: "The file is not well-formed YAML. Nothing is planned while a part of the project cannot be read.",
  },
  LF1004: {
    title: "include matches nothing",
    text: "A glob under `include` matched no file. That is an error, because objects of a file that is not found would count as removed.",
  },
  LF1005: {
    title: "declared twice",
    text: "The same address, environment or variable is declared in two places. Remove or rename one of them.",
  },
  LF1006: {
    title: "TypeScript project failed",
    text: "The program could not be read, a module that it imports was not found, it threw an error, or it has no App as its default export.",
  },
  LF1007: {
    title: "cannot be added to",
    text: "Nothing can be imported into a project that a cdktf program writes: import into another folder.",
  },
  LF1008: {
    title: "file left as it is",
    text: "`loadform fmt` could not format the file without changing its meaning or losing a comment, so it did not touch it.",
  },
  LF1009: {
    title: "interrupted acceptance",
    text: "A `loadform drift --accept` was killed while it was writing several files. The next command writes the rest and says which files; if one of them was edited in the meantime, it leaves all of them as they are, because only you know which is right.",
  },
  LF1010: {
    title: "cdktf program failed",
    text: "`app` of cdktf.json could not be run, ended with an error, reported a problem with a construct, or did not write exactly one stack with resources of loadform.",
  },
  LF1011: {
    title: "file not included",
    text: "A YAML file in the project's folder declares objects that the plan would delete, but no `include` matches it: most likely the file was moved. Include it, or delete it.",
  },
  LF1101: {
    title: "unknown key",
    text: "The schema does not know this key. Keys are the service's own field names in camelCase; see `loadform schema KIND`.",
  },
  LF1102: { title: "wrong type", text: "The value has the wrong type for its field, such as text for a number." },
  LF1103: { title: "missing key", text: "The object needs this key." },
  LF1104: {
    title: "value not allowed",
    text: "The value is not one that the field accepts, or is outside its limits.",
  },
  LF1105: { title: "bad key", text: "Keys are parts of addresses, so they match [A-Za-z0-9][A-Za-z0-9_.-]*." },
  LF1201: {
    title: "refused by the service's rules",
    text: "The object breaks a rule in the service's documents, so the service would refuse it.",
  },
  LF1202: {
    title: "doubtful",
    text: "The service's documents do not say what happens here; as loadform reads them, it is a mistake. It is an error with the bundled service and a warning with a live one.",
  },
  LF1203: {
    title: "secret written out",
    text: "Secret fields accept only ${env:NAME} or ${file:PATH}. The value was not printed. If it was ever committed, change the secret at its source.",
  },
  LF1204: {
    title: "without effect",
    text: "The service accepts the object, but a part of it has no effect: a path or a misspelt ${…} is sent as plain text, or an environment patches an object that does not exist. This is probably a mistake, so it is a warning.",
  },
  LF1205: {
    title: "required parameter not given",
    text: "A scenario has a parameter with `required: true`, not encrypted and without a default, and a configuration that runs it sets no value under `scriptParams`. The service accepts that, because whoever starts a run can give the value; but a schedule gives none. So it is a warning.",
  },
  LF1206: {
    title: "script does not parse",
    text: "The text of a scenario's script is not JavaScript, or not TypeScript where `language` says so. The service does not check it, and every run would fail. Only `loadform validate` reads scripts, without running them; scenarios with a `scriptType` other than Code are left alone.",
  },
  LF1301: { title: "reference to nothing", text: "A reference names an object that the project does not declare." },
  LF1302: {
    title: "unknown variable",
    text: "${var:NAME} or --var names a variable that is not declared under `variables`.",
  },
  LF1303: {
    title: "environment variable not set",
    text: "${env:NAME} names a variable that is not set, or one that is empty where a secret is needed, as in a pipeline that lacks the secret. This is an error when planning and applying, and a warning when validating. The message lists every place that needs it.",
  },
  LF1304: {
    title: "unknown environment",
    text: "--env, $LOADFORM_ENV or defaultEnvironment names an environment that the project does not declare. A program for Terraform (cdktf.json, *.tf.json) declares none: give it other values with --var or $TF_VAR_<name>, in a separate folder for each environment.",
  },
  LF1305: {
    title: "variable without a value",
    text: "The variable has no default and no value was given with --var, $LOADFORM_VAR_<name> or the environment.",
  },
  LF1306: {
    title: "bad moved or removed block",
    text: "An entry under `moved` or `removed` is not an address, or contradicts the project.",
  },
  LF1307: {
    title: "only Terraform can plan this",
    text: "A Terraform program (cdktf.json, *.tf.json) contains something that loadform's own engine cannot evaluate: a function, an operator, count, a module, an id within a text. Write it out in the program, or plan the program with `loadform terraform`.",
  },
  LF1308: {
    title: "left out of a Terraform program",
    text: "Outputs, resources of other providers and settings of Terraform's provider mean nothing to loadform's own engine. `loadform terraform` handles all of them.",
  },
  LF2001: {
    title: "service not reachable",
    text: "The service did not answer. The message says why: nothing listens there, the name is unknown, the certificate is not accepted ($NODE_EXTRA_CA_CERTS names a file with the certificate of a private authority), a proxy was not reached ($HTTPS_PROXY, $HTTP_PROXY, $NO_PROXY), or the answer took longer than --timeout. Check service.url and $LOADFORM_URL.",
  },
  LF2002: {
    title: "not authorized",
    text: "The service refused the key. Set $LOADFORM_API_KEY; `loadform whoami` shows who you are.",
  },
  LF2003: {
    title: "refused by the service",
    text: "The service answered with an error; the message quotes it. A 404 for a whole list usually means that the path in service.url is wrong.",
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
    text: "A live service needs a key in $LOADFORM_API_KEY. For `loadform serve` it is `local`, unless it was started with --api-key.",
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
  LF3009: { title: "reference not found at the service", text: "A reference by id or name matches no object there." },
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
    text: "`loadform drift --accept` could not write the live value into the project's files: it is a secret, comes from a variable, the environment or a file that other objects use too, or the project is a program. The message says where it comes from; change it there, or put back what is declared with `loadform apply`. Nothing was written.",
  },
  LF3017: {
    title: "acceptance not proven",
    text: "With the live values in the project's files, a plan would still differ in the accepted fields, or change something else. Nothing was written; the differing fields are shown.",
  },
  LF3018: {
    title: "same name as what is deleted",
    text: "An object would be deleted while a new one of the same kind, place and name is created: most likely it is the same object under another key. If so, declare it under `moved:`, and it keeps its id and history; if not, there is nothing to do.",
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
  LF9001: { title: "usage", text: "The command line is not valid." },
  LF9002: {
    title: "defect",
    text: "This is a defect in loadform. Please report it with the output of LOADFORM_LOG=debug.",
  },
  LF9003: { title: "not built yet", text: "The command or flag is reserved and comes with a later version." },
  LF9004: {
    title: "files in the way",
    text: "`loadform init` and `loadform import` never overwrite files that they did not write, and one of their files exists already. Name another folder, or move the files that the message lists.",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<"title" | "text", string>>>>;

/** A code of the table. */
export type Code = keyof typeof codes;
