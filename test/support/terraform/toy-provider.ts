import { createHash } from "node:crypto";
import type { ProviderSchema } from "../../../src/terraform/provider-schema.ts";
import type { Provider, ProviderDiagnostic, ProviderSession } from "../../../src/terraform/provider-session.ts";
import { isValueMap, UNKNOWN, type Value, type ValueMap, valueMap } from "../../../src/terraform/wire/values.ts";

const text = { description: "A text.", type: "string" } as const;

/** A resource with an attribute of each shape, and a data source that echoes. */
export const toySchema: ProviderSchema = {
  provider: [{ name: "flavour", ...text, optional: true }],
  resources: new Map([
    [
      "loadform_toy",
      {
        description: "A toy.",
        attributes: [
          { name: "id", ...text, computed: true },
          { name: "name", ...text, required: true },
          { name: "size", description: "A number.", type: "number", optional: true },
          { name: "flag", description: "A flag.", type: "bool", optional: true },
          { name: "labels", description: "A map.", type: ["map", "string"], optional: true },
          { name: "tags", description: "A set.", type: ["set", "string"], optional: true },
          { name: "flavour", description: "The provider's.", type: "string", computed: true },
          { name: "secret_wo", ...text, optional: true, writeOnly: true },
          { name: "sensitive", ...text, optional: true, sensitive: true },
          {
            name: "parts",
            description: "Objects.",
            optional: true,
            type: {
              nesting: "list",
              attributes: [
                { name: "weight", description: "A number.", type: "number", required: true },
                { name: "serial", ...text, computed: true },
              ],
            },
          },
        ],
      },
    ],
  ]),
  dataSources: new Map([
    [
      "loadform_echo",
      {
        description: "An echo.",
        attributes: [
          { name: "say", ...text, required: true },
          { name: "heard", ...text, computed: true },
        ],
      },
    ],
  ]),
};

/** What happened in a session, for tests. */
export type Note = (line: string) => void;

/** A provider whose objects exist in its states alone. */
export function toyProvider(note: Note = () => {}): Provider {
  return { schema: async () => toySchema, openSession: async () => toySession(note) };
}

function toySession(note: Note): ProviderSession {
  let flavour: Value = null;
  const stop = deferred();
  return {
    validateProvider: async () => [],
    configure: async (config) => {
      flavour = object(config)["flavour"] ?? null;
      note(`configured ${String(flavour)}`);
      return [];
    },
    validateResource: async (_, config) => misfits(object(config)),
    validateDataSource: async () => [],
    planResource: async ({ prior, proposed }) => {
      const before = prior === null ? undefined : object(prior);
      if (proposed === null) return { planned: null, requiresReplace: [], private: bytes(""), diagnostics: [] };
      const isReplaced = before !== undefined && before["name"] !== object(proposed)["name"];
      const planned = merge(object(proposed), {
        id: before === undefined ? UNKNOWN : (before["id"] ?? null),
        flavour: before === undefined ? UNKNOWN : (before["flavour"] ?? null),
        parts: withSerials(object(proposed)["parts"] ?? null, () => UNKNOWN),
        secret_wo: null,
      });
      return { planned, requiresReplace: isReplaced ? [["name"]] : [], private: bytes("planned"), diagnostics: [] };
    },
    applyResource: async ({ planned, config }) => {
      if (planned === null) return { state: null, private: bytes(""), diagnostics: [] };
      const wanted = object(planned);
      await misbehave(wanted["name"] ?? null, { note, stopped: stop.promise });
      note(`applied ${String(wanted["name"])} ${String(object(config)["secret_wo"])}`);
      const state = merge(wanted, {
        id: wanted["id"] === UNKNOWN ? digest(String(wanted["name"])) : (wanted["id"] ?? null),
        flavour: wanted["flavour"] === UNKNOWN ? flavour : (wanted["flavour"] ?? null),
        parts: withSerials(wanted["parts"] ?? null, (index) => `part ${index}`),
      });
      const diagnostics = wanted["name"] === "waits" ? [problem("it was interrupted")] : [];
      return { state, private: bytes("applied"), diagnostics };
    },
    readResource: async ({ state, private: kept }) => ({ state, private: kept, diagnostics: [] }),
    importResource: async (type, id) => {
      const attributes = toySchema.resources.get(type)?.attributes ?? [];
      const state = valueMap(attributes.map(({ name }) => [name, name === "id" || name === "name" ? id : null]));
      return { imported: [{ type, state, private: bytes("imported") }], diagnostics: [] };
    },
    readDataSource: async (_, config) => {
      const { say = null } = object(config);
      return {
        state: valueMap([
          ["say", say],
          ["heard", say],
        ]),
        diagnostics: [],
      };
    },
    stop: () => {
      note("stopped");
      stop.resolve();
    },
  };
}

async function misbehave(name: Value, { note, stopped }: { note: Note; stopped: Promise<void> }): Promise<void> {
  if (name === "throws") throw new Error("the toy broke");
  if (name === "crashes")
    setImmediate(() => {
      throw new Error("the toy crashed");
    });
  if (name !== "waits") return;
  note("waiting");
  await stopped;
}

function misfits(config: ValueMap): readonly ProviderDiagnostic[] {
  const parts = config["parts"];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: Value, index) =>
    isValueMap(part) && part["weight"] === 13
      ? [{ ...problem("no weight is 13"), path: ["parts", index, "weight"] }]
      : [],
  );
}

function withSerials(parts: Value, serial: (index: number) => Value): Value {
  if (!Array.isArray(parts)) return parts;
  return parts.map((part: Value, index) => {
    if (!isValueMap(part)) return part;
    const old = part["serial"] ?? null;
    return old === null || old === UNKNOWN ? merge(part, { serial: serial(index) }) : part;
  });
}

function problem(detail: string): ProviderDiagnostic {
  return { severity: "error", summary: "A toy cannot be so", detail };
}

function object(value: Value): ValueMap {
  if (!isValueMap(value)) throw new Error("expected an object");
  return value;
}

function merge(value: ValueMap, more: ValueMap): ValueMap {
  return valueMap([...Object.entries(value), ...Object.entries(more)]);
}

function digest(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 8);
}

function bytes(words: string): Uint8Array {
  return Buffer.from(words);
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
