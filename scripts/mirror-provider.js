import { join } from "node:path";
import { address, hosts, platforms } from "./provider-program.js";
import { writeWhole } from "./write-files.js";

/** Writes a filesystem mirror: what `terraform init` installs from, by itself where the folder is one that it knows. */
export function mirrorProvider({ version, files }, { to }) {
  for (const host of hosts)
    for (const platform of platforms)
      for (const { name, mode, contents } of files)
        writeWhole(join(to, host, address, version, platform, name), contents, mode);
}
