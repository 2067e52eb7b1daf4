import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** A project of two objects by its name, whose test case has the name too. */
export function namedProject(name: string, service = "memory:../../service.json", more = ""): string {
  return `project: ${name}
service: { url: "${service}" }
${more}testCases:
  ${name}:
    scenarios:
      browse: { script: "run();" }
`;
}

/** A fresh folder with these files, by their paths. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const root = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
