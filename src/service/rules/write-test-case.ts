import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import type { TestCaseRecord } from "../store/records/scenarios.ts";
import { namesakes, sameName } from "./read-text.ts";

/** A test case on its way in. */
export interface TestCaseUpsert {
  readonly name: string;
  readonly organizationId: number;
  readonly description?: string | null | undefined;
}

/**
 * API 1, POST /test-cases: an existing name is updated. DECISION (API 1, POST /test-cases): an omitted description is kept, a name that lives
 * in another organization is 409.
 */
export function putTestCase({ name, organizationId, description }: TestCaseUpsert, scope: Scope): TestCaseRecord {
  const { store, settings } = scope;
  const former = testCaseOf(name, scope);
  if (former === undefined)
    return store.insert("testCase", { organizationId, name, active: true, description: description ?? null });
  if (former.organizationId !== organizationId)
    throw new Refusal(
      409,
      `the name "${name}" is taken by a test case of another organization; expected another name`,
      {
        errors: [{ field: "name", message: "taken in another organization" }],
      },
    );
  const kept = settings.upsert === "clear" ? null : former.description;
  return store.update("testCase", former.id, { description: description === undefined ? kept : description });
}

/** The test case of a name, whose ever it is. */
export function testCaseOf(name: string, scope: Scope): TestCaseRecord | undefined {
  return namesakes(name, scope).find((row) => sameName(row.name, name, scope));
}
