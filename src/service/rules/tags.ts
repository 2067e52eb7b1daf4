import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { TagRecord } from "../store/records/organizations.ts";
import { readName } from "./read-text.ts";

/** Names of tags in a body: trimmed, each once. */
export function readTagNames(value: readonly JsonValue[], scope: Scope, field = "tags"): readonly string[] {
  return [...new Set(value.map((each, index) => readName(each, scope, `${field}[${index}]`)))];
}

/** DECISION (API 2, Tags): no route creates a tag; carrying its name registers it. */
export function registerTags(names: readonly string[], organizationId: number, scope: Scope): readonly TagRecord[] {
  const known = scope.store.where("tag", "organizationId", organizationId);
  return names.map(
    (name) => known.find((tag) => tag.name === name) ?? scope.store.insert("tag", { organizationId, name }),
  );
}

/** DECISION (API 2, Tags): deleting a tag takes it off its carriers. */
export function deleteTag(tag: TagRecord, scope: Scope): void {
  const { store } = scope;
  for (const testCase of store.where("testCase", "organizationId", tag.organizationId)) {
    for (const scenario of store.where("scenario", "testCaseId", testCase.id))
      if (scenario.tags.includes(tag.name))
        store.update("scenario", scenario.id, { tags: without(scenario.tags, tag.name) });
    for (const configuration of store.where("configuration", "testCaseId", testCase.id))
      for (const execution of store.where("execution", "configurationId", configuration.id))
        if (execution.tags.includes(tag.name))
          store.update("execution", execution.id, { tags: without(execution.tags, tag.name) });
  }
  store.remove("tag", tag.id);
}

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((each) => each !== name);
}
