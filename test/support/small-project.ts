import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshFolder } from "./run-cli.ts";

/** A project of two objects at a service within the process. */
export const smallProject = `project: small
service: { url: "memory:.loadform/service.json" }
testCases:
  checkout:
    scenarios:
      browse: { script: "run();" }
`;

/** A fresh folder with a project in it. */
export function projectFolder(text = smallProject): string {
  const folder = freshFolder();
  writeFileSync(join(folder, "loadform.yaml"), text);
  return folder;
}
