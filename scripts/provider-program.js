import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where Terraform and Node both run; the program is the same one everywhere. */
export const platforms = ["darwin_amd64", "darwin_arm64", "linux_386", "linux_amd64", "linux_arm", "linux_arm64"];

/** What `loadform/loadform` means to Terraform and to OpenTofu: names of folders here, nothing is looked up. */
export const hosts = ["registry.opentofu.org", "registry.terraform.io"];

/** The provider's address below a host. */
export const address = "loadform/loadform";

/** The built provider: its version, and its files under the names that Terraform looks for in a package. */
export function readProvider(root, { from = join(root, "dist", "provider") } = {}) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = "terraform-provider-loadform";
  const files = [
    { name: `${name}_v${version}`, mode: 0o755, contents: readFileSync(join(from, name)) },
    // Says that the program is CommonJS, whatever package.json lies above.
    { name: "package.json", mode: 0o644, contents: readFileSync(join(from, "package.json")) },
  ];
  return { name, version, files };
}
