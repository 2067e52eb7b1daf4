import type { Scope } from "../core/scope.ts";
import type { View } from "./stamp.ts";
import { stamp } from "./stamp.ts";

/** A test case as what lies below it names it. */
export function testCaseReference(id: number, scope: Scope): View | null {
  const row = scope.store.get("testCase", id);
  return row ? { ...stamp(row), name: row.name, active: row.active } : null;
}
