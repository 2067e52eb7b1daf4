/** A code's meaning: one line, and the paragraph that `loadform explain` prints. */
export interface CodeText {
  readonly title: string;
  readonly text: string;
}

/** Codes of the files of a project: LF1. */
export const fileCodes = {
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
    text: "The program could not be read, a module that it imports was not found, it threw an error, or it has no App as its default export. It is read once nothing that it began is under way any more, and has 5 s for that after its last line; a warning says that it did not end. A value that no project can have, and what `node.addValidation` finds, is named with its construct.",
  },
  LF1007: {
    title: "cannot be added to",
    text: "Nothing can be imported into a project that a program for Terraform makes (cdktf.json, *.tf.json), for the files of the import would be read in its place: import into another folder, or with `--format terraform` beside *.tf.json.",
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
  LF1104: { title: "value not allowed", text: "The field does not accept the value, or it is outside its limits." },
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
    text: "Secret fields accept only ${env:NAME} or ${file:PATH}. The value was not printed. If it was ever committed, change the secret at its source. As a warning: the address of the service or the name of the project, which are shown, contains a value from the environment.",
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
  LF1207: {
    title: "gate that cannot be read",
    text: "A KPI, a figure of `noWorse` or a baseline of a gate is not in its language: `metric[figure] < number unit`, `+10%`, `{ last: 5 }`. The message says at which column, what was found and what was expected. A unit must fit the metric: ms or s for timings, bytes, or % for the share of a bucket.",
  },
  LF1208: {
    title: "figure that may not be measured",
    text: "The metric is none that the service measures by itself, or the percentile is none that it always measures. A run that did not measure it fails the KPI. Metrics that a script reports are written `User/name`.",
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
    text: "A Terraform program (cdktf.json, *.tf.json) contains something that loadform's own engine cannot evaluate: a function, an operator, count, a module, an id within a text, or there are files that only Terraform reads (`*.tf`, `terraform.tfvars`, `*.auto.tfvars`). Write it out in the program, or plan the program with `loadform terraform`.",
  },
  LF1308: {
    title: "left out of a Terraform program",
    text: "Outputs, resources of other providers and settings of Terraform's provider mean nothing to loadform's own engine. `loadform terraform` handles all of them.",
  },
  LF1309: {
    title: "targets without the bundled service",
    text: "`service.targets` says what the bundled service simulates, and `service.url` names another one, which would not hear of it. Remove `targets` there, or put them into the environment whose url is `memory:FILE`. A live service that only $LOADFORM_URL names is no error: the targets are not used then.",
  },
  LF1310: {
    title: "module that cannot be used",
    text: "A module uses itself, directly or through others, or its path contains `${…}`. Modules are read before anything is replaced, and none contains itself. They are at most 16 deep, and have at most 50,000 instances.",
  },
  LF1311: {
    title: "unknown parameter",
    text: "${param:NAME}, or a value under `with` or `forEach`, names a parameter that the module does not declare under `parameters`.",
  },
} as const satisfies Readonly<Record<string, CodeText>>;
