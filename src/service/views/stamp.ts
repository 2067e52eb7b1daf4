import type { JsonValue } from "../../api/routes.ts";
import type { Stored } from "../store/records/stored.ts";

/** An object as it is answered. */
export type View = { readonly [key: string]: JsonValue };

/** Members that every stored object has in an answer (API 1, conventions 2). */
export function stamp(row: Stored): {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly firstVersion: boolean;
} {
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    firstVersion: row.createdAt === row.updatedAt,
  };
}

/** Members of an object that have a value. */
export function present(members: Readonly<Record<string, JsonValue | undefined>>): View {
  const view: Record<string, JsonValue> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) view[name] = value;
  }
  return view;
}
