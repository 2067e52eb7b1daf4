import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Service } from "../../src/service/index.ts";

/** Columns that lead to another row, by the table that they lead to. */
const columns: Readonly<Record<string, string>> = {
  testCaseId: "testCase",
  scenarioId: "scenario",
  scriptId: "scenario",
  configurationId: "configuration",
  providerId: "provider",
  gatewayId: "gateway",
};

/** Members that say when and in which order something was made. */
const incidental: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt", "key"]);

/** Everything that a service has, without ids and times, sorted: equal texts are services that hold the same. */
export function storedObjects(service: Service): readonly string[] {
  const { tables } = service.snapshot();
  const nameOf = (table: string, id: Json): string => {
    const row = (tables[table] ?? []).find((each) => isObject(each) && each["id"] === id);
    return isObject(row) ? String(row["name"]) : `no ${table}`;
  };
  const plain = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(plain);
    if (!isObject(value)) return value;
    const members = Object.entries(value as JsonObject).filter(([name]) => !incidental.has(name));
    return Object.fromEntries(
      members.map(([name, held]) => [name, name in columns ? nameOf(columns[name] ?? "", held) : plain(held)]),
    );
  };
  const rows = Object.entries(tables).flatMap(([table, list]) =>
    list.map((row) => `${table} ${JSON.stringify(plain(row as Json))}`),
  );
  return rows.sort();
}

/** Ids of what a service has, by table and names from the top; objects without a name are left out. */
export function storedIds(service: Service): ReadonlyMap<string, number> {
  const { tables } = service.snapshot();
  const rows = Object.entries(tables).flatMap(([table, list]) => list.filter(isObject).map((row) => ({ table, row })));
  const named = rows.filter(({ row }) => typeof row["name"] === "string" && typeof row["id"] === "number");
  return new Map(
    named.map(({ table, row }) => {
      const owner = String(row["testCaseId"] ?? row["scenarioId"] ?? row["providerId"] ?? "");
      // A gateway can be renamed; what it stands for cannot change.
      const keys = row["keys"];
      const name = Array.isArray(keys)
        ? JSON.stringify(keys.map((key: Json) => isObject(key) && key["url"]))
        : row["name"];
      return [`${table} ${owner} ${String(name)}`, Number(row["id"])];
    }),
  );
}
