import { runPlugin } from "../../../src/terraform/plugin/run-plugin.ts";
import { toyProvider } from "./toy-provider.ts";

void runPlugin(
  process,
  toyProvider((line) => process.stderr.write(`[INFO] ${line}\n`)),
);
