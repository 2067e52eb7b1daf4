import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import { bound, least } from "../core/parse-query.ts";
import type { Scope } from "../core/scope.ts";
import { openOrganizations, owningOrganization } from "../rules/access.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { newestFirst } from "../views/configuration.ts";
import { viewExecution } from "../views/execution.ts";
import type { View } from "../views/stamp.ts";

/** Criteria of a search; all that are given have to hold. */
export interface ExecutionSearch {
  readonly query?: string | null;
  readonly tags?: readonly string[] | null;
  readonly testCaseId?: number | null;
  readonly confId?: number | null;
  readonly start?: number | string | null;
  readonly end?: number | string | null;
  readonly success?: boolean | null;
  readonly offset?: number | null;
  readonly limit?: number | null;
}

/** DECISION (API 2, POST /search): executions that the key may see, newest first; `query` is looked for in the names of test case and configuration, in notes and in tags, in any case; all `tags` must be carried; 15 from `offset` on, `limit` -1 is all. */
export function searchExecutions(search: ExecutionSearch, scope: Scope): View {
  const open = openOrganizations(scope);
  const found = newestFirst(scope.store.all("execution")).filter(
    (row) => open.has(owningOrganization(scope.store, "execution", row) ?? -1) && fits(row, search, scope),
  );
  const { offset, limit } = pageOf(search, scope);
  const page = found.slice(offset, limit < 0 ? undefined : offset + limit);
  const flags = { down: false, up: true, includeScript: true, includeSummary: true };
  return { total: found.length, results: page.map((row): JsonValue => viewExecution(row, flags, scope)) };
}

/** The bounds of a page, as those of a query. */
function pageOf({ offset, limit }: ExecutionSearch, { findings }: Scope) {
  const page = { offset: offset ?? 0, limit: limit ?? 15 };
  for (const [name, value] of Object.entries(page))
    if (value < (least[name] ?? 0)) findings.add(name, `found ${value}; expected a whole number${bound(name)}`);
  findings.check();
  return page;
}

function fits(row: ExecutionRecord, search: ExecutionSearch, { store }: Scope): boolean {
  const configuration = store.get("configuration", row.configurationId);
  const testCase = store.get("testCase", configuration?.testCaseId ?? -1);
  const at = Date.parse(row.createdAt);
  const text = [testCase?.name, configuration?.name, row.note, ...row.tags].join("\n").toLowerCase();
  return (
    (search.query ?? "")
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    (search.tags ?? []).every((tag) => row.tags.includes(tag)) &&
    (search.testCaseId ?? testCase?.id) === testCase?.id &&
    (search.confId ?? configuration?.id) === configuration?.id &&
    at >= (search.start ? momentOf(search.start) : Number.NEGATIVE_INFINITY) &&
    at <= (search.end ? momentOf(search.end) : Number.POSITIVE_INFINITY) &&
    (search.success ?? row.success) === row.success
  );
}
