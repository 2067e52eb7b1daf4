import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/model/json.ts";
import type { TerraformRun } from "./real-terraform.ts";

/** Resources of a configuration: the members of each by its address. */
export type Resources = Readonly<Record<string, JsonObject>>;

/** A command of Terraform that has ended, as its lines of JSON tell it. */
export interface Told {
  readonly code: number | null;
  /** What is planned, by address; what does not change is left out. */
  readonly actions: Readonly<Record<string, string>>;
  /** What was found changed at the service, by address: "update" or "delete". */
  readonly drift: Readonly<Record<string, string>>;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Runs Terraform with these arguments in a folder. */
type Launch = (args: readonly string[], cwd: string) => Promise<TerraformRun>;

/** A folder with one configuration of our resources, and Terraform in it. */
export class TerraformProject {
  readonly path = mkdtempSync(join(tmpdir(), "loadform-tf-"));
  readonly #provider: JsonObject;
  readonly #launch: Launch;

  constructor(provider: JsonObject, launch: Launch) {
    this.#provider = provider;
    this.#launch = launch;
  }

  /** Writes the whole configuration; text is taken as it is, `${…}` included. */
  declare(resources: Resources, more: JsonObject = {}): void {
    const byType: Record<string, Record<string, JsonObject>> = {};
    for (const [address, members] of Object.entries(resources)) {
      const [type = "", name = ""] = address.split(".");
      byType[type] = { ...byType[type], [name]: members };
    }
    const document = {
      terraform: { required_providers: { loadform: { source: "loadform/loadform" } } },
      provider: { loadform: this.#provider },
      ...(Object.keys(byType).length > 0 && { resource: byType }),
      ...more,
    };
    writeFileSync(join(this.path, "main.tf.json"), JSON.stringify(document, null, 2));
  }

  apply(...args: string[]): Promise<Told> {
    return this.told("apply", "-auto-approve", ...args);
  }

  plan(...args: string[]): Promise<Told> {
    return this.told("plan", "-detailed-exitcode", ...args);
  }

  destroy(): Promise<Told> {
    return this.told("destroy", "-auto-approve");
  }

  async told(...args: string[]): Promise<Told> {
    return toldBy(await this.run(...args, "-json"));
  }

  run(...args: string[]): Promise<TerraformRun> {
    return this.#launch(args, this.path);
  }

  /** The text of the state; undefined while there is none. */
  get state(): string | undefined {
    try {
      return readFileSync(join(this.path, "terraform.tfstate"), "utf8");
    } catch {
      return undefined;
    }
  }

  set state(text: string | undefined) {
    const path = join(this.path, "terraform.tfstate");
    if (text === undefined) rmSync(path, { force: true });
    else writeFileSync(path, text);
  }

  /** The attributes of each resource of the state, by address. */
  attributes(): Resources {
    const { resources } = JSON.parse(this.state ?? '{"resources":[]}') as { resources: readonly StateResource[] };
    return Object.fromEntries(
      resources
        // Of a create that failed Terraform keeps the resource without an instance.
        .filter(({ mode, instances }) => mode === "managed" && instances.length > 0)
        .map(({ type, name, instances }) => [`${type}.${name}`, instances[0]?.attributes ?? {}]),
    );
  }

  /** The id of a resource of the state. */
  id(address: string): number {
    return Number(this.attributes()[address]?.["id"]);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

interface StateResource {
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly attributes: JsonObject }[];
}

interface Line {
  readonly type?: string;
  readonly change?: { readonly resource: { readonly addr: string }; readonly action: string };
  readonly diagnostic?: { readonly severity: string; readonly summary: string; readonly detail: string };
}

function toldBy({ code, output }: { readonly code: number | null; readonly output: string }): Told {
  const lines = output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []));
  const changes = (wanted: string) =>
    Object.fromEntries(
      lines.flatMap(({ type, change }) =>
        type === wanted && change && change.action !== "noop" ? [[change.resource.addr, change.action]] : [],
      ),
    );
  const diagnostics = (severity: string) =>
    lines.flatMap(({ diagnostic: each }) =>
      each?.severity === severity ? [[each.summary, each.detail].join(": ")] : [],
    );
  return {
    code,
    actions: changes("planned_change"),
    drift: changes("resource_drift"),
    errors: diagnostics("error"),
    warnings: diagnostics("warning"),
  };
}
