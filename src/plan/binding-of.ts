import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, sameJson, withValueAt } from "../model/json.ts";
import type { TreeNode } from "../model/tree.ts";
import type { StateResource } from "../state/state.ts";
import type { BindingParts } from "./plan.ts";

/** The part of a binding that a plan knows: values, hashes and fingerprints apart. */
export function bindingParts(kind: string, applied: JsonObject, node: TreeNode | undefined): BindingParts {
  const content: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  let plain: JsonObject = applied;
  for (const [name, value] of Object.entries(applied)) {
    if (isContentMark(value)) {
      content[name] = value.$content;
      plain = withValueAt(plain, [name], undefined);
    } else
      for (const [path, fingerprint] of secretsWithin([name], value)) {
        secrets[path.join(".")] = fingerprint;
        plain = withValueAt(plain, path, undefined);
      }
  }
  return {
    kind,
    applied: plain,
    ...(Object.keys(content).length > 0 && { content }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(node?.lifecycle?.protect && { protect: true }),
    ...(node?.lifecycle?.ignore && { ignore: node.lifecycle.ignore }),
  };
}

/** Last-applied values with the marks of texts and files put back; secrets are put back by masking. */
export function appliedFields(resource: StateResource | undefined): JsonObject {
  if (resource === undefined) return {};
  if (resource.content === undefined) return resource.applied;
  const marks = Object.entries(resource.content).map(([name, hash]): [string, Json] => [
    name,
    { $content: hash, bytes: 0 },
  ]);
  return { ...resource.applied, ...Object.fromEntries(marks) };
}

/** Whether two bindings say the same. */
export function sameBinding(left: StateResource, right: StateResource): boolean {
  return sameJson(left as unknown as Json, right as unknown as Json);
}

function secretsWithin(path: readonly string[], value: Json): readonly (readonly [readonly string[], string])[] {
  if (isSecretMark(value)) return [[path, value.$secret]];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => secretsWithin([...path, key], member));
}
