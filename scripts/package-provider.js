import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readProvider } from "./provider-program.js";
import { releaseProvider } from "./release-provider.js";

/** `npm run provider:package [-- --to FOLDER]`: the files of a release. */
const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { to: { type: "string", default: join(root, "release") } } });
const to = resolve(values.to);
const names = releaseProvider(readProvider(root), { to });
const shown = relative(process.cwd(), to) || ".";
process.stdout.write(`${names.map((name) => `${shown}/${name}\n`).join("")}`);
