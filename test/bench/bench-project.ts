import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Objects of one test case: itself, 3 scenarios, 1 gateway, 5 configurations (docs/engine.md, Speed). */
export const objectsPerTestCase = 10;

/** Test cases that stand in one file. */
const testCasesPerFile = 10;

/** Writes a project of that many objects for the service at `url`, and gives its folder. */
export function writeProject(objects: number, url: string): string {
  const folder = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  writeProjectInto(folder, { objects, url, start: 0 });
  return folder;
}

/** Writes a project into a folder; the names of its test cases are numbered from `start` on. */
export function writeProjectInto(
  folder: string,
  { objects, url, start }: { readonly objects: number; readonly url: string; readonly start: number },
): void {
  mkdirSync(join(folder, "load"), { recursive: true });
  mkdirSync(join(folder, "scripts"));
  const head = [`project: bench-${start}`, `service: { url: "${url}" }`, 'include: ["load/*.yaml"]'];
  writeFileSync(join(folder, "loadform.yaml"), `${head.join("\n")}\n`);
  for (let index = 0; index < 10; index++) writeFileSync(join(folder, "scripts", `step-${index}.js`), script(index));
  const end = start + Math.ceil(objects / objectsPerTestCase);
  for (let first = start; first < end; first += testCasesPerFile)
    writeFileSync(join(folder, "load", `team-${first}.yaml`), file(first, Math.min(end, first + testCasesPerFile)));
}

function script(index: number): string {
  const steps = Array.from(
    { length: 5 },
    (_, step) => `  await http.get(params.baseUrl + "/page/${index}/${step}");\n`,
  );
  return `export default async function main() {\n${steps.join("")}}\n`;
}

function file(from: number, to: number): string {
  const indices = Array.from({ length: to - from }, (_, offset) => from + offset);
  return `testCases:\n${indices.map(testCase).join("")}`;
}

function testCase(index: number): string {
  return `  case-${index}:
    name: Case ${index}
    description: Journey ${index} through the shop
    scenarios:
${[0, 1, 2].map((each) => scenario(each, (index + each) % 10)).join("")}    gateways:
      shop: { url: "https://shop-${index}.example.com" }
    configurations:
${[0, 1, 2, 3, 4].map(configuration).join("")}`;
}

function scenario(index: number, text: number): string {
  return `      browse-${index}: { script: "\${file:../scripts/step-${text}.js}", paramsConfig: [{ name: baseUrl, required: true }] }\n`;
}

function configuration(index: number): string {
  return `      load-${index}:
        scenario: browse-${index % 3}
        concurrentClients: ${10 * (index + 1)}
        durationSecs: ${60 * (index + 1)}
        rampupSecs: 10
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1, cloud-eu-west-1] }]
        scriptParams: { baseUrl: "https://shop.example.com" }
`;
}
