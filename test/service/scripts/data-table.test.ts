import { describe, expect, it } from "vitest";
import { logged } from "../support/run-text.ts";

describe("dataTable", () => {
  const dataTables = {
    "users.csv": 'name,say\nada,"hi, ""you"""\nbob,"two\nlines"\r\ncyd,\n',
    "semi.csv": "a;b\n1;2\n",
  };

  it("get answers the row of an index from 1, at once and as a promise", async () => {
    const text =
      'const t = dataTable.open("users.csv"); log.info(JSON.stringify([t.get(1).data, await t.get(2)]), t.length)';
    expect(await logged(text, { dataTables })).toEqual([
      `${JSON.stringify([
        { name: "ada", say: 'hi, "you"' },
        { index: 2, data: { name: "bob", say: "two\nlines" }, indexed: ["bob", "two\nlines"] },
      ])} 3`,
    ]);
  });

  it("next answers row after row and wraps, unless it must not", async () => {
    const text = `
      const t = dataTable.open("users.csv");
      const [one, two] = await t.next({ rows: 2 });
      log.info(one.data.name, two.data.name, (await t.next()).data.name, dataTable.open("users.csv").next().data.name);
      await t.next({ rows: 2 });
      try { await t.next({ wrap: false }) } catch (e) { log.info(e.message) }
    `;
    expect(await logged(text, { dataTables })).toEqual([
      "ada bob cyd ada",
      "users.csv: no row is left; expected more rows, or wrap: true",
    ]);
  });

  it("random answers one of the rows, another one by seed", async () => {
    const text = 'for (let at = 0; at < 20; at++) log.info(dataTable.open("users.csv").random().data.name)';
    const drawn = await logged(text, { dataTables });
    expect(new Set(drawn)).toEqual(new Set(["ada", "bob", "cyd"]));
    expect(await logged(text, { dataTables, seed: "other" })).not.toEqual(drawn);
  });

  it("reads files that are parted by semicolons", async () => {
    expect(await logged('log.info(dataTable.open("semi.csv").get(1).data.b)', { dataTables })).toEqual(["2"]);
  });

  it("names the data stores that there are when one is missing, and the rows", async () => {
    const text =
      'for (const go of [() => dataTable.open("x.csv"), () => dataTable.open("semi.csv").get(2)]) try { go() } catch (e) { log.info(e.message) }';
    expect(await logged(text, { dataTables })).toEqual([
      'found no data store "x.csv"; expected users.csv, semi.csv',
      "semi.csv: found row 2; expected one from 1 to 1",
    ]);
  });
});
