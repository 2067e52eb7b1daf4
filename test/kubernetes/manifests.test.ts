// merge: the published schemas and types of Kubernetes, which a compiler reads for seconds
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PodMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { CronJob } from "kubernetes-models/batch/v1/CronJob";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { commandTable } from "../../src/cli/command-table.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";
import { readWatchConfig } from "../../src/config/watch/read-watch-config.ts";
import { repository } from "../support/source-files.ts";

const models = { ConfigMap, CronJob, Deployment, PersistentVolumeClaim, PodMonitor, Service };
type Kind = keyof typeof models;

/** Where the types of each kind are published. */
const sourceOf: Readonly<Record<Kind, string>> = {
  ConfigMap: "kubernetes-models/v1/ConfigMap",
  CronJob: "kubernetes-models/batch/v1/CronJob",
  Deployment: "kubernetes-models/apps/v1/Deployment",
  PersistentVolumeClaim: "kubernetes-models/v1/PersistentVolumeClaim",
  PodMonitor: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor",
  Service: "kubernetes-models/v1/Service",
};

interface PodSpec {
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly securityContext: object;
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  }[];
  readonly volumes: readonly { readonly name: string }[];
}

interface Manifest {
  readonly kind: Kind;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: PodSpec };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
  };
}

const files = ["workers.yaml", "nightly.yaml"];
const manifestsIn = (file: string) =>
  parseAllDocuments(readFileSync(join(repository, "examples/kubernetes", file), "utf8")).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
const manifests = files.flatMap((file) => manifestsIn(file).map((manifest) => ({ file, manifest })));
const podOf = ({ spec }: Manifest) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;
const pods = manifests.flatMap(({ file, manifest }) => {
  const pod = podOf(manifest);
  return pod === undefined ? [] : [{ file, pod, manifest }];
});

/** What the compiler says of values as the published types have them: unknown members above all, which the schemas let pass. */
async function compile(lines: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "manifests-"));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "manifests.ts"), lines.join("\n"));
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"];
  const told = await promisify(execFile)(join(repository, "node_modules/.bin/tsc"), [...flags, "manifests.ts"], {
    cwd: folder,
  }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
  rmSync(folder, { recursive: true });
  return told;
}

const declaration = (manifest: Manifest, index: number) => [
  `import type { I${manifest.kind} as Kind${index} } from ${JSON.stringify(sourceOf[manifest.kind])};`,
  `export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};`,
];

describe("the manifests of examples/kubernetes", () => {
  it.each(manifests)("$file: $manifest.kind $manifest.metadata.name is what the schema says", ({ manifest }) => {
    const { apiVersion, kind } = manifest;
    expect(models[kind].apiVersion).toBe(apiVersion);
    const Model = models[kind] as new (data: object) => { validate(): void };
    expect(() => new Model(manifest).validate()).not.toThrow();
  });

  it("a value of another type is refused by the same schema", () => {
    const deployment = manifests.find(({ manifest: { kind } }) => kind === "Deployment")?.manifest;
    const broken = { ...deployment, spec: { ...deployment?.spec, replicas: "two" } };
    expect(() => new Deployment(broken as never).validate()).toThrow("replicas");
  });

  it("have no member that Kubernetes does not know", async () => {
    expect(await compile(manifests.flatMap(({ manifest }, index) => declaration(manifest, index)))).toBe("");
  });

  it("a misspelt member is found by the same types", async () => {
    const { pod, manifest } = pods[0] ?? expect.unreachable();
    const misspelt = { ...manifest, spec: { ...manifest.spec, template: { spec: { ...pod, runAsNonRooot: true } } } };
    expect(await compile(declaration(misspelt, 0))).toContain("runAsNonRooot");
  });
});

describe("the watch.yaml of", () => {
  const env = Object.fromEntries(
    ["SHOP_KEY", "SHOP_STATE", "WATCH_TOKEN", "HOOK_SECRET"].map((name) => [name, `a value of ${name}`]),
  );
  const addresses = {
    SLACK_WEBHOOK: "https://hooks.example.com/T1",
    QUEUE_URL: "postgres://watch@db.example.com/watch",
  };
  const maps = manifests.flatMap(({ file, manifest: { data } }) =>
    data?.["watch.yaml"] === undefined ? [] : [{ file, text: data["watch.yaml"] }],
  );

  it.each(maps)("$file is one that loadform reads, with the secrets that the manifest names", ({ file, text }) => {
    const read = readWatchConfig(
      { text, file },
      { env: { ...env, ...addresses }, defaults: { prune: false, intervalSecs: 120 } },
    );
    expect(read.diagnostics).toEqual([]);
    const manifest =
      readFileSync(join(repository, "examples/kubernetes", file), "utf8").split("apiVersion", 1)[0] ?? "";
    const names = [...new Set([...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = ""]) => name))];
    for (const name of names) expect(manifest).toContain(name);
  });
});

describe("the pods", () => {
  it.each(pods)(
    "of $file run as another user than root, write only to what is mounted, and get no token of the cluster",
    ({ pod }) => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const { securityContext, volumeMounts } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
          expect.arrayContaining(["/cache", "/work", "/tmp"]),
        );
        const volumes = pod.volumes.map(({ name }) => name);
        for (const { name } of volumeMounts) expect(volumes).toContain(name);
      }
    },
  );

  it.each(pods)("of $file run a command line that loadform reads", ({ pod }) => {
    for (const { args } of pod.containers)
      expect(parseCommandLine([...args], commandTable)).toMatchObject({ is: "command", spec: { name: "watch" } });
  });
});
