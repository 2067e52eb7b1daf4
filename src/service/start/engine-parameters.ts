import type { Parameter } from "./parameter.ts";

const a = { of: ["EngineA"] as const, defines: "EngineA" } as const;
const b = { of: ["EngineB"] as const, defines: "EngineB" } as const;
const c = { of: ["EngineC"] as const, defines: "EngineC" } as const;
const collection = { of: ["ApiCollection"] as const, defines: "ApiCollection" } as const;
const headless = { of: ["HeadlessB"] as const, defines: "HeadlessB" } as const;

/** API 2, Scenario parameters: the engines. */
export const engineParameters: readonly Parameter[] = [
  { name: "enginea_testplan", type: "File or Text", ...a },
  { name: "enginea_testplan[*]", type: "File or Text", ...a },
  { name: "enginea_version", choices: ["4.0", "3.3", "auto"], standard: "auto", ...a },
  { name: "enginea_capture_subresults", value: "flag", standard: "true", ...a },
  { name: "enginea_prefix_subresults", value: "flag", standard: "true", ...a },
  { name: "enginea_properties[*]", mayBeEmpty: true, ...a },
  { name: "enginea_system_properties[*]", mayBeEmpty: true, ...a },
  { name: "enginea_properties_file", type: "File", ...a },
  { name: "enginea_system_properties_file", type: "File", ...a },
  { name: "enginea_additional_args", ...a },
  { name: "enginea_plugins[*]", type: "File", ...a },
  { name: "enginea_utilities[*]", type: "File", ...a },
  { name: "engineb_zip", type: "File", ...b },
  { name: "engineb_simulation", type: "File", ...b },
  { name: "engineb_version", ...b },
  { name: "engineb_simulation_name", ...b },
  { name: "engineb_users", value: "whole", from: 1, standard: "1", ...b },
  { name: "engineb_javaopts", ...b },
  { name: "engineb_simulations_dir", standard: "user-files/simulations", ...b },
  { name: "engineb_bodies_dir", standard: "user-files/bodies", ...b },
  { name: "engineb_data_dir", standard: "user-files/data", ...b },
  { name: "engineb_libs_dir", standard: "lib", ...b },
  { name: "enginec_file", type: "File or Text", ...c },
  { name: "enginec_host", ...c },
  { name: "enginec_clients", value: "whole", from: 1, ...c },
  { name: "enginec_hatch_rate", value: "decimal", above: 0, ...c },
  { name: "enginec_runtime", ...c },
  { name: "enginec_requests", value: "whole", from: 1, ...c },
  { name: "enginec_log_level", standard: "INFO", ...c },
  { name: "enginec_classes", ...c },
  { name: "enginec_step_load", value: "flag", ...c },
  { name: "enginec_step_clients", value: "whole", from: 1, ...c },
  { name: "enginec_step_time", ...c },
  { name: "apicoll_collection", type: "File or Text", ...collection },
  { name: "apicoll_collection_url", ...collection },
  { name: "headlessa_script", type: "File or Text", of: ["HeadlessA"], defines: "HeadlessA" },
  { name: "headlessb_runstyle", choices: ["library", "test"], standard: "library", ...headless },
  { name: "headlessb_runtime", choices: ["node", "python"], ...headless },
  { name: "headlessb_script", type: "File or Text", ...headless },
  { name: "headlessb_conf_file", standard: "playwright.config.ts", ...headless },
  { name: "headlessb_pytest_args", ...headless },
];
