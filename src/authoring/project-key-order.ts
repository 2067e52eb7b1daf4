import type { Field } from "../model/field.ts";
import type { AnyKind } from "../model/kind.ts";
import { moduleShape } from "../schema/module-shape.ts";
import { projectShape } from "../schema/project-shape.ts";
import type { KeyOrder } from "../yaml/format-yaml.ts";

/** The order of keys in a project file: that in which the fields are declared. */
export function projectKeyOrder(kinds: readonly AnyKind[]): KeyOrder {
  return orderOf(projectShape(kinds).document);
}

/** The order of keys in a module: its own, and below them that of a project. */
export function moduleKeyOrder(kinds: readonly AnyKind[]): KeyOrder {
  const [own, project] = [orderOf(moduleShape), projectKeyOrder(kinds)];
  return { ...own, below: (key) => (key === "testCases" ? project : own).below(key) };
}

function orderOf(field: Field): KeyOrder {
  if (field.type === "list" && field.of) return orderOf(field.of);
  const { fields, of } = field;
  return {
    ...(fields && { keys: orderedKeys(fields) }),
    below(key) {
      const member = fields?.[key] ?? of;
      return member && orderOf(member);
    },
  };
}

const first = [
  ...["project", "service", "state", "include", "variables", "environments", "defaultEnvironment", "limits"],
  "defaults",
];
const last = ["moved", "removed"];

/** The settings of a project are written above its objects, moved and removed objects below. */
function orderedKeys(fields: Readonly<Record<string, Field>>): readonly string[] {
  const names = Object.keys(fields);
  if (!names.includes("moved")) return names;
  return [...first, ...names.filter((name) => !first.includes(name) && !last.includes(name)), ...last];
}
