import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Service } from "../../src/service/index.ts";

/** What a reference of a row leads to. */
const tableOf: Readonly<Record<string, string>> = {
  testCaseId: "testCase",
  scenarioId: "scenario",
  scriptId: "scenario",
  configurationId: "configuration",
  providerId: "provider",
};

/** Members that say when or as the how manieth something was made. */
const aside = new Set(["id", "createdAt", "updatedAt", "lastScheduled", "key"]);

/** The next time of a schedule that recurs is worked out; the only one of another is given. */
function isAside(name: string, row: JsonObject): boolean {
  return aside.has(name) || (name === "nextScheduled" && row["scheduleType"] !== "Single");
}

/** Parameters of a script: their order means nothing. */
function byName(parameters: Json): Json {
  if (!Array.isArray(parameters)) return parameters;
  const named = parameters.filter(isObject);
  return named.sort((left, right) => String(left["name"]).localeCompare(String(right["name"])));
}

/** All that a service holds, with names in place of ids, and without times. */
export function leftAt(service: Service): JsonObject {
  const tables = service.snapshot().tables as unknown as Readonly<Record<string, readonly JsonObject[]>>;
  const nameOf = (table: string, id: Json) => tables[table]?.find((row) => row["id"] === id)?.["name"] ?? id;
  const plain = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(plain);
    if (!isObject(value)) return value;
    const members = Object.entries(value).filter(([name]) => !isAside(name, value));
    return Object.fromEntries(
      members.map(([name, member]) => {
        if (name === "paramsConfig") return [name, byName(plain(member))];
        return [name, name in tableOf ? nameOf(tableOf[name]!, member) : plain(member)];
      }),
    );
  };
  const sorted = (rows: readonly JsonObject[]) => rows.map((row) => JSON.stringify(plain(row))).sort();
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [table, sorted(rows).map((row) => JSON.parse(row) as Json)]),
  );
}
