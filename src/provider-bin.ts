import { runPlugin } from "./terraform/plugin/run-plugin.ts";
import { loadformProvider } from "./terraform/provider.ts";

// Terraform shows it where TF_LOG asks for it.
const log = (line: string) => void process.stderr.write(`[DEBUG] ${line}\n`);
const tell = (line: string) => void process.stderr.write(`[WARN] ${line}\n`);

void runPlugin(process, loadformProvider({ env: process.env, log, tell }));
