import type { Parameter, ScenarioType } from "./parameter.ts";

const code = { of: ["Code"] as const, defines: "Code" } as const;
const ai = { of: ["AI"] as const } as const;
const java = { of: ["Java"] as const, defines: "Java" } as const;
const legacy = { of: ["LegacyBrowser"] as const, defines: "LegacyBrowser" } as const;
const driver = { of: ["Webdriver"] as const, defines: "Webdriver" } as const;
const drivenOrJava: readonly ScenarioType[] = ["Webdriver", "Java"];
const suites: readonly ScenarioType[] = ["Webdriver", "HeadlessA", "HeadlessB", "AI"];
const browsers: readonly ScenarioType[] = ["Webdriver", "HeadlessA", "HeadlessB", "LegacyBrowser", "AI", "Java"];
const withNode: readonly ScenarioType[] = ["Code", "HeadlessA", "HeadlessB", "Webdriver", "ApiCollection", "AI"];
const withJava: readonly ScenarioType[] = ["EngineA", "EngineB", "Java", "Webdriver"];
const uploads = ["upload", "uploadAll", "uploadExecutable", "uploadZip"];

/**
 * API 2, Scenario parameters, without the engines. DECISION (API 2, Scenario parameters: values not shown): where the
 * document says how many values there are but not which, any text is taken.
 */
export const scenarioParameters: readonly Parameter[] = [
  { name: "code", type: "File", ...code },
  { name: "init", type: "File", ...code },
  { name: "teardown", type: "File", ...code },
  { name: "language", choices: ["javascript", "typescript"], standard: "javascript", of: withNode },
  { name: "node_version", choices: ["14", "18", "22", "latest"], standard: "latest", of: withNode },
  { name: "java_version", choices: ["1.8", "11", "17"], of: withJava },
  { name: "ai_instructions", value: "json", ...ai, defines: "AI" },
  { name: "model", ...ai },
  { name: "tool", ...ai },
  { name: "browser_type", of: ["AI", "HeadlessB"] },
  { name: "max_age", value: "whole", from: 0, standard: "86400000", ...ai },
  { name: "enable_ai_retry", value: "flag", standard: "true", ...ai },
  { name: "conf_file", type: "File or Text", ...driver },
  { name: "run_style", choices: ["script", "file"], ...driver },
  { name: "webdriver_primary_spec", ...driver },
  { name: "webdriver_main_class", ...driver },
  { name: "webdriver_bindings", standard: "javascript", ...driver },
  { name: "webdriver_source", choices: uploads, standard: "uploadAll", ...driver },
  { name: "webdriver_version", standard: "3.141.59", ...driver },
  {
    name: "framework",
    choices: ["None", "JsFramework", "BddFramework", "JavaUnitA", "JavaUnitB"],
    standard: "None",
    of: browsers,
  },
  { name: "jsframework_timeout", value: "whole", from: 0, standard: "3600000", of: suites },
  { name: "jsframework_args", of: suites },
  { name: "java_test_classes", value: "words", ...java },
  { name: "java_main_class", ...java },
  { name: "java_source", choices: uploads, ...java },
  { name: "java_build_tool", choices: ["maven", "gradle"], of: drivenOrJava },
  { name: "java_build_tool_args", of: drivenOrJava },
  { name: "java_system_properties[*]", mayBeEmpty: true, of: drivenOrJava },
  { name: "legacybrowser_url", ...legacy },
  { name: "legacybrowser_script", type: "File", ...legacy },
  { name: "legacybrowser_browser_script", type: "File", ...legacy },
  { name: "legacybrowser_version", ...legacy },
  { name: "legacybrowser_childlogs", value: "flag", standard: "true", ...legacy },
  { name: "har_file", type: "File", of: ["Har"], defines: "Har" },
  { name: "device", standard: "Desktop 1920 x 1080", of: browsers },
  { name: "record_video", value: "flag", standard: "false", of: browsers },
  { name: "auto_send_screenshots", value: "flag", standard: "true", of: browsers },
  {
    name: "auto_screenshot_trigger",
    choices: ["afterFailure", "always", "afterFailed", "afterEvery", "afterAllOnFailure", "afterAll"],
    of: browsers,
  },
  { name: "auto_screenshot_type", choices: ["browser", "desktop"], standard: "browser", of: browsers },
  { name: "child_logs", value: "flag", standard: "true" },
  { name: "capture_network_metrics", value: "flag", standard: "true" },
  { name: "capture_websocket_metrics", value: "flag", standard: "true" },
];

/** API 2, Browser/device list. */
export const deviceParameters: readonly Parameter[] = [
  { name: "devices[*].browser", of: browsers },
  { name: "devices[*].version", standard: "Latest", of: browsers },
  { name: "devices[*].device", standard: "Desktop 1920 x 1080", of: browsers },
  { name: "devices[*].weight", value: "decimal", above: 0, of: browsers },
];
