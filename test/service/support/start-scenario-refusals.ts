import { code, file, zipFile } from "./start-forms.ts";
import type { Refused } from "./start-refusals.ts";

const timed = { duration_mins: "1" };
const engineA = { ...timed, enginea_testplan: file("plan.jmx") };
const engineC = { ...timed, enginec_file: file("load.py"), enginec_runtime: "10m" };
const webdriver = { ...timed, conf_file: file("wdio.conf.js") };
const java = { ...timed, java_main_class: "com.shop.Load", "files[0]": file("load.jar") };

/** Forms that are refused: types of scenario. */
export const refusedScenarios: readonly Refused[] = [
  { rule: "there is a scenario", fields: timed, named: ["code"] },
  {
    rule: "there is one type of scenario",
    fields: { ...code, enginea_testplan: file("plan.jmx") },
    named: ["enginea_testplan"],
  },
  { rule: "init goes with code", fields: { ...timed, init: file("init.js") }, named: ["code"] },
  { rule: "code is a file", fields: { ...timed, code: "go()" }, named: ["code"] },
  { rule: "code is not empty", fields: { ...code, code: file("main.js", " ") }, named: ["code"] },
  { rule: "code is UTF-8", fields: { ...code, code: file("main.js", new Uint8Array([255])) }, named: ["code"] },
  { rule: "language is closed", fields: { ...code, language: "coffee" }, named: ["language"] },
  { rule: "node_version is closed", fields: { ...code, node_version: "16" }, named: ["node_version"] },
  { rule: "instructions are JSON", fields: { ...timed, ai_instructions: "click" }, named: ["ai_instructions"] },
  {
    rule: "instructions have title and contents",
    fields: { ...timed, ai_instructions: '[{"title":"a"}]' },
    named: ["ai_instructions"],
  },
  {
    rule: "a model is one of GET /ai-models",
    fields: { ...timed, ai_instructions: '[{"title":"a","contents":"b"}]', model: "none" },
    named: ["model"],
  },
  {
    rule: "max_age is in milliseconds",
    fields: { ...timed, ai_instructions: '[{"title":"a","contents":"b"}]', max_age: "1d" },
    named: ["max_age"],
  },
  { rule: "enginea: a plan", fields: { ...timed, enginea_version: "4.0" }, named: ["enginea_testplan"] },
  {
    rule: "enginea: the path of a plan is in a zip",
    fields: { ...timed, enginea_testplan: "plans/a.jmx" },
    named: ["enginea_testplan"],
  },
  { rule: "enginea: versions are closed", fields: { ...engineA, enginea_version: "5" }, named: ["enginea_version"] },
  { rule: "enginea: java_version is closed", fields: { ...engineA, java_version: "8" }, named: ["java_version"] },
  { rule: "engineb: a zip or a simulation", fields: { ...timed, engineb_version: "2.3" }, named: ["engineb_zip"] },
  {
    rule: "engineb: not both",
    fields: { ...timed, engineb_zip: zipFile("p.zip", { a: "b" }), engineb_simulation: file("S.scala") },
    named: ["engineb_simulation"],
  },
  { rule: "engineb: the project is a zip", fields: { ...timed, engineb_zip: file("p.tar") }, named: ["engineb_zip"] },
  { rule: "enginec: a load file", fields: { ...timed, enginec_runtime: "10m" }, named: ["enginec_file"] },
  {
    rule: "enginec: runtime or requests",
    fields: { ...engineC, enginec_runtime: undefined },
    named: ["enginec_runtime"],
  },
  { rule: "enginec: runtime is a time", fields: { ...engineC, enginec_runtime: "soon" }, named: ["enginec_runtime"] },
  {
    rule: "enginec: steps imply a step load",
    fields: { ...engineC, enginec_step_load: "false", enginec_step_clients: "2" },
    named: ["enginec_step_load"],
  },
  {
    rule: "apicoll: a collection or its url",
    fields: { ...timed, apicoll_collection_url: "ftp://x" },
    named: ["apicoll_collection_url"],
  },
  {
    rule: "headlessa: the path of a script is in a zip",
    fields: { ...timed, headlessa_script: "a.js" },
    named: ["headlessa_script"],
  },
  {
    rule: "headlessb: library has a script",
    fields: { ...timed, headlessb_runtime: "node" },
    named: ["headlessb_script"],
  },
  {
    rule: "headlessb: test has a zip",
    fields: { ...timed, headlessb_runstyle: "test" },
    named: ["headlessb_runstyle"],
  },
  {
    rule: "headlessb: its zip has the config file",
    fields: { ...timed, headlessb_runstyle: "test", "files[0]": zipFile("p.zip", { "a.spec.ts": "" }) },
    named: ["headlessb_conf_file"],
  },
  {
    rule: "webdriver: script has a primary spec",
    fields: { ...webdriver, run_style: "script" },
    named: ["webdriver_primary_spec"],
  },
  { rule: "webdriver: file has a config file", fields: { ...timed, run_style: "file" }, named: ["conf_file"] },
  {
    rule: "webdriver: sources are closed",
    fields: { ...webdriver, webdriver_source: "all" },
    named: ["webdriver_source"],
  },
  {
    rule: "webdriver: frameworks are of JavaScript",
    fields: { ...webdriver, framework: "JavaUnitA" },
    named: ["framework"],
  },
  {
    rule: "java: a main class or test classes",
    fields: { ...java, java_main_class: undefined, java_source: "upload" },
    named: ["java_main_class"],
  },
  { rule: "java: a full class name", fields: { ...java, java_main_class: "com..Load" }, named: ["java_main_class"] },
  { rule: "java: .java is uploaded", fields: { ...java, java_main_class: "Load.java" }, named: ["java_main_class"] },
  {
    rule: "java: .java implies source",
    fields: { ...java, java_main_class: "Load.java", "files[0]": file("Load.java"), java_source: "uploadExecutable" },
    named: ["java_source"],
  },
  { rule: "java: build tools are closed", fields: { ...java, java_build_tool: "ant" }, named: ["java_build_tool"] },
  { rule: "java: frameworks are of Java", fields: { ...java, framework: "JsFramework" }, named: ["framework"] },
  {
    rule: "legacybrowser: one of its three",
    fields: { ...timed, legacybrowser_version: "2" },
    named: ["legacybrowser_url"],
  },
  { rule: "har: a recording", fields: { ...timed, har_file: file("a.har", "{}") }, named: ["har_file"] },
  {
    rule: "screenshots are taken at known moments",
    fields: { ...webdriver, auto_screenshot_trigger: "never" },
    named: ["auto_screenshot_trigger"],
  },
  {
    rule: "weights of devices are above 0",
    fields: { ...webdriver, "devices[0].weight": "0" },
    named: ["devices[0].weight"],
  },
  {
    rule: "a device that begins like JSON is JSON",
    fields: { ...webdriver, "devices[0].device": "{w" },
    named: ["devices[0].device"],
  },
];
