import { runHosted } from "../../../src/terraform/plugin/run-hosted.ts";
import { toyProvider } from "./toy-provider.ts";

const [program = "terraform", ...args] = process.argv.slice(2);
process.on("SIGINT", () => {});
const provider = toyProvider((line) => process.stderr.write(`toy: ${line}\n`));
const onStart = (terminate: () => void) => process.on("SIGTERM", terminate);
const end = await runHosted(provider, { program, args, env: process.env, cwd: process.cwd(), onStart });
process.exit(end.is === "exited" ? end.code : 99);
