import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { mirrorProvider } from "./mirror-provider.js";
import { platforms, readProvider } from "./provider-program.js";

/** `npm run provider:install [-- --to FOLDER]`: `terraform init` finds the provider without a registry. */
const implied = join(homedir(), ".terraform.d", "plugins");
const { values } = parseArgs({ options: { to: { type: "string", default: implied } } });
const to = resolve(values.to);
const provider = readProvider(join(import.meta.dirname, ".."));
mirrorProvider(provider, { to });
process.stdout.write(
  `loadform/loadform ${provider.version} is in ${to}\nfor ${platforms.join(", ")}; it needs node on the PATH.\n${
    to === implied
      ? "`terraform init` and `tofu init` find it there by themselves.\n"
      : `\`terraform init -plugin-dir=${to}\` installs from there.\n`
  }Folders whose .terraform.lock.hcl has an older build of ${provider.version}: remove its entry, then init again.\n`,
);
