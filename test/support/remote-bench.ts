import { expect } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type AnyKind, kindsByName } from "../../src/model/kind.ts";
import { normalObject } from "../../src/model/normal-form.ts";
import type { ValueSources } from "../../src/remote/encode-fields.ts";
import type { InlineChild } from "../../src/remote/inline-children.ts";
import { readTree } from "../../src/remote/read-tree.ts";
import { createBody, createObject } from "../../src/remote/write-object.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { makeRig } from "./rig.ts";

/** The bundled service, and the arguments of `remote`, as a Terraform provider or a rehearsal gives them. */
export function makeBench() {
  const rig = makeRig();
  const contents = new Map<string, string | Uint8Array>();
  const byName = kindsByName(kinds);
  const kindOf = (name: string): AnyKind => byName.get(name) ?? expect.fail(`no kind ${name}`);
  const habits = { putReplaces: false };
  const scope = { api: rig.outside, organization: 1, address: "test", habits };
  const sources: ValueSources = {
    idOf: () => undefined,
    secret: () => "secret",
    content: (hash) => contents.get(hash),
  };
  const wanted = new Set(kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name));
  const read = () => readTree({ ...scope, kinds, wanted, hash: sha256 });
  /** Plain values in normal form, with texts and files as marks. */
  const fieldsOf = (kind: AnyKind, input: JsonObject): JsonObject => {
    const fields = Object.entries(normalObject(kind, input)).map(([name, value]): [string, Json] => {
      if (kind.fields[name]?.content === undefined || typeof value !== "string") return [name, value];
      const hash = sha256(value);
      contents.set(hash, value);
      return [name, { $content: hash, bytes: value.length }];
    });
    return Object.fromEntries(fields);
  };
  const create = async (name: string, input: JsonObject, more: { parentId?: number; inline?: InlineChild[] } = {}) => {
    const kind = kindOf(name);
    const inline = more.inline && { inline: { kind: kindOf("schedule"), items: more.inline } };
    const body = createBody(kind, { fields: fieldsOf(kind, input), sources, ...inline });
    return createObject(scope, kind, { body, parentId: more.parentId });
  };
  return { rig, scope, sources, kindOf, read, fieldsOf, create };
}

export type Bench = ReturnType<typeof makeBench>;
