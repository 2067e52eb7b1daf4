import { byKey } from "../model/canonical.ts";
import { choice, flag, group, list, named, scalar, text } from "../model/field.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Wire } from "../model/kind.ts";
import { defineKind } from "../model/kind.ts";
import { secretDefaults } from "./script-params.ts";
import { childList, objectName } from "./wire-parts.ts";

/** Seed 1, Scenario (script); what can be written is in docs/service-decisions.md. */
export const scenario = defineKind({
  name: "scenario",
  plural: "scenarios",
  parent: "testCase",
  description: "A scenario: the script that each virtual user runs.",
  fields: {
    name: objectName("Name of the scenario."),
    script: text({
      description: "The script's text, run once per iteration. Usually a file.",
      examples: [`\${file:scripts/browse.js}`],
      content: "text",
      required: true,
      wire: { name: "main" },
    }),
    init: text({
      description: "Script run once at the start.",
      content: "text",
      examples: [`\${file:scripts/init.js}`],
    }),
    teardown: text({ description: "Script run once at the end.", content: "text" }),
    scriptType: text({
      description: "Type of the script; Code is a Node.js script.",
      default: "Code",
      examples: ["Code"],
    }),
    language: choice(["javascript", "typescript"], {
      description: "Language of a Code script.",
      default: "javascript",
    }),
    nodeVersion: choice(["14", "18", "22", "latest"], {
      description: "Node.js version of a Code script.",
      default: "latest",
    }),
    paramsConfig: list(
      group(
        {
          name: text({ description: "Name of the parameter.", required: true }),
          required: flag({ description: "Whether a run must set it.", default: false }),
          defaultValue: scalar({ description: "Value when a run sets none; write-only when encrypted." }),
          encrypted: flag({ description: "Whether values are secret.", default: false }),
        },
        { description: "One parameter that the script takes." },
      ),
      {
        description: "Parameters that the script takes.",
        examples: [[{ name: "baseUrl", required: true }]],
        normalize: parametersByName,
        spell: parametersAsList,
        wire: { write: parametersAsList },
      },
    ),
    tags: list(named("tag", { description: "Name of a tag, or the key of one under `tags`.", trim: true }), {
      description: "Tags that label the results of runs.",
      examples: [["nightly"]],
      set: true,
    }),
  },
  seen: ["length", "updatedAt"],
  facts: ["readonly", "length"],
  secretPaths: secretDefaults,
  rules: [{ origin: "decision", section: "service 1.2.11", check: duplicateParameters }],
  remote: {
    within: childList("scenarios"),
    needs: ["paramsConfig", "tags"],
    async read({ api, id }) {
      return (await api.call("GET /scripts/:id", { params: { id }, query: { down: true, up: true } })) as Wire;
    },
    async create({ api, parentId, body }) {
      return (await api.call("POST /test-cases/:testCaseId/scripts", {
        params: { testCaseId: parentId },
        body: body as never,
      })) as Wire;
    },
    async update({ api, id, body }) {
      return (await api.call("PUT /scripts/:id", { params: { id }, body: body as never })) as Wire;
    },
    remove({ api, id }) {
      return api.call("DELETE /scripts/:id", { params: { id } });
    },
  },
});

/** Parameters keyed by name: their order means nothing, and a path can lead to one of them. */
function parametersByName(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const entries = value.filter(isObject).map((item): [string, JsonObject] => {
    const { name, ...rest } = item;
    return [String(name), rest];
  });
  return Object.fromEntries(entries.sort(byKey));
}

function parametersAsList(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.entries(value).map(([name, rest]) => ({ name, ...(isObject(rest) ? rest : {}) }));
}

function duplicateParameters(fields: JsonObject) {
  const list = fields.paramsConfig;
  if (!Array.isArray(list)) return [];
  const seen = new Set<Json>();
  return list.flatMap((item: Json, index: number) => {
    const name = isObject(item) ? item.name : undefined;
    if (name === undefined || !seen.has(name)) {
      if (name !== undefined) seen.add(name);
      return [];
    }
    const detail = `paramsConfig names "${String(name)}" twice; expected each parameter once. Remove one of them.`;
    return [{ path: ["paramsConfig", index, "name"], summary: `parameter ${String(name)} stands twice`, detail }];
  });
}
