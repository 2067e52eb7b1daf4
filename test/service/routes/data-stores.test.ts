import { describe, expect, it } from "vitest";
import { fieldsOf, makeShop, type Way } from "../support/rig.ts";

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const csv = 'user,note\r\nann,"a\nb"\r\n\r\nbob,x';

describe("data stores", () => {
  it("keep bytes exactly and say what they hold", async () => {
    const rig = await makeShop();
    const contents = base64(csv);
    const made = await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "users.csv", contents });
    expect(made).toMatchObject({
      id: 1,
      type: "text/csv",
      charset: "UTF-8",
      size: csv.length,
      numRows: 2,
      headers: "user,note",
      deleteType: "DELETE",
      script: { id: 1, name: "Browse" },
    });
    expect(made.url).toMatch(/^\/api\/data-stores\/1\/download\?sid=\w+$/);
    const answer = await rig.service.handle({
      method: "GET",
      path: "/data-stores/1/download",
      headers: { "x-api-key": "local" },
    });
    expect(Buffer.from(answer.body() as Uint8Array).toString("latin1")).toBe(csv);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=UTF-8");
  });

  it("are behind a link for as long as its user is there and has access", async () => {
    const rig = await makeShop();
    const made = await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "users.csv", contents: base64(csv) });
    const status = async () => {
      const path = String(made.url).replace("/api", "");
      const [at = "", query = ""] = path.split("?");
      return (await rig.service.handle({ method: "GET", path: at, query, headers: {} })).status;
    };
    expect(await status()).toBe(200);
    await rig.ok("DELETE", "/orgs/1/users/1");
    expect(await status()).toBe(403);
  });

  it.each([
    ["text.txt", "x", { type: "text/plain", charset: "UTF-8", numRows: null, headers: null }],
    ["logo.svg", "<svg/>", { type: "image/svg+xml", charset: "UTF-8", size: 6 }],
    ["bytes.bin", "\xff\x00", { type: "application/octet-stream", charset: null, size: 2 }],
    ["empty.csv", "", { type: "text/csv", size: 0, numRows: 0, headers: null }],
    ["headed.csv", "a,b", { numRows: 0, headers: "a,b" }],
  ])("infer the type of %s", async (name, text, expected) => {
    const rig = await makeShop();
    expect(await rig.ok("POST", "/scripts/1/data-stores/contents", { name, contents: base64(text) })).toMatchObject(
      expected,
    );
  });

  it.each([
    ["within a field", 'size,note\n5",inch\n6,x\n', ['5",inch', "6,x"]],
    ["where a field starts, never closed", 'a,b\n"5,inch\n6,"x"\n7,"y\n', ['"5,inch', '6,"x"', '7,"y']],
    ["in the last field, never closed", 'a,b\n1,"x\n2,y\n3,z', ['1,"x', "2,y", "3,z"]],
    ["behind a quoted field", 'a,b\n"x" y,1\n"z",2\n', ['"x" y,1', '"z",2']],
    ["doubled, beside line ends", 'a;b\r\n"x ""y""\r\nz";1\r\n2;3', ['"x ""y""\r\nz";1', "2;3"]],
  ])("count rows around a quote that stands %s", async (_where, text, rows) => {
    const rig = await makeShop();
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "q.csv", contents: base64(text) });
    const read = await rig.ok("GET", "/data-stores/1?includeRows=true");
    const found = (read.rows as readonly { rowData: string }[]).map(({ rowData }) => rowData);
    expect([read.numRows, found]).toEqual([rows.length, rows]);
    expect(read.size).toBe(text.length);
  });

  it("have the same rows for a script as for the API, whatever wrote the file", async () => {
    const rig = await makeShop();
    const files = {
      "bom.csv": ["\ufeffa,b\n1,2\n", ["1,2"]],
      "cr.csv": ["a,b\r1,2\r\r3,4", ["1,2", "3,4"]],
      "commas.csv": ["a,b\n,\n\n1,2", [",", "1,2"]],
      "blank.csv": ["\n\na;b\n1;2\n", ["1;2"]],
    } as const;
    for (const [name, [text]] of Object.entries(files))
      await rig.ok("POST", "/scripts/1/data-stores/contents", { name, contents: Buffer.from(text).toString("base64") });
    const { files: stored } = await rig.ok("GET", "/scripts/1/data-stores?includeRows=true");
    const rowsOf = ({ rows }: { rows: { rowData: string }[] }) => rows.map(({ rowData }) => rowData);
    expect(stored.map(rowsOf)).toEqual(Object.values(files).map(([, rows]) => rows));
    const names = JSON.stringify(Object.keys(files));
    const main = `for (const name of ${names}) { const t = dataTable.open(name); log.info(t.length + t.get(t.length).data.a) }`;
    await rig.ok("PUT", "/scripts/1", { main });
    const { logs } = await rig.ok("POST", "/scripts/1/run");
    const told = logs.map(({ message }: { message: string }) => message);
    expect(told.slice(-4)).toEqual(["11", "23", "21", "11"]);
  });

  it("are of the type of their extension, and without one of none", async () => {
    const rig = await makeShop();
    const typeOf = async (name: string) =>
      (await rig.ok("POST", "/scripts/1/data-stores/contents", { name, contents: "" })).type;
    expect([await typeOf("csv"), await typeOf("a.b.CSV"), await typeOf("t.tsv")]).toEqual([
      "application/octet-stream",
      "text/csv",
      "text/tab-separated-values",
    ]);
  });

  it("update the one of the same name, and keep what is omitted", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: base64("a\n1") });
    expect(
      await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: base64("a\n1\n2") }),
    ).toMatchObject({ id: 1, numRows: 2 });
    expect(await rig.ok("PUT", "/data-stores/1/contents", { name: "v.csv" })).toMatchObject({
      name: "v.csv",
      numRows: 2,
    });
    expect(await rig.ok("PUT", "/data-stores/1/contents", { contents: base64("a") })).toMatchObject({
      name: "v.csv",
      numRows: 0,
    });
    expect(await rig.ok("PUT", "/data-stores/1", { name: "w.txt" })).toMatchObject({
      name: "w.txt",
      type: "text/plain",
    });
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "x.csv", contents: "" });
    expect((await rig.call("PUT", "/data-stores/1", { name: "x.csv" })).status).toBe(409);
  });

  it.each([
    [{ contents: "" }, ["name"]],
    [{ name: "a" }, ["contents"]],
    [{ name: "a", contents: "%%%" }, ["contents"]],
  ])("are refused with %j", async (body, fields) => {
    const rig = await makeShop();
    expect(fieldsOf(await rig.call("POST", "/scripts/1/data-stores/contents", body))).toEqual(fields);
  });

  it("list with rows on request, and answer single rows from 1", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: base64(csv) });
    const { files } = await rig.ok("GET", "/scripts/1/data-stores?includeRows=true");
    expect(files[0].rows).toMatchObject([
      { rowIndex: 1, rowData: 'ann,"a\nb"' },
      { rowIndex: 2, rowData: "bob,x" },
    ]);
    expect(await rig.ok("GET", "/data-stores/1/rows/2")).toMatchObject({ rowData: "bob,x", dataStore: { id: 1 } });
    expect((await rig.call("GET", "/data-stores/1/rows/3")).status).toBe(404);
    expect((await rig.call("GET", "/data-stores/1/rows/0")).status).toBe(404);
  });

  it("are saved under their names by a browser, which runs nothing in them", async () => {
    const rig = await makeShop();
    const name = 'Größe "1".html';
    const body = { name, contents: base64("<script>alert(1)</script>") };
    await rig.ok("POST", "/scripts/1/data-stores/contents", body);
    expect((await rig.call("GET", "/data-stores/1/download")).headers).toMatchObject({
      "content-type": "text/html; charset=UTF-8",
      "content-disposition": `attachment; filename="Gr__e _1_.html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.html`,
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
    });
  });

  it("open by a session id alone: download and delete, nothing else", async () => {
    const rig = await makeShop();
    const { url, deleteUrl } = await rig.ok("POST", "/scripts/1/data-stores/contents", {
      name: "u.csv",
      contents: base64("a"),
    });
    const bare = (method: string, path: string) => rig.service.handle({ method, path }).then((answer) => answer.status);
    expect(await bare("GET", url)).toBe(200);
    expect(await bare("GET", url.replace(/sid=.*/, "sid=other"))).toBe(401);
    expect(await bare("GET", `/data-stores/1?${url.split("?")[1]}`)).toBe(401);
    expect(await bare("DELETE", deleteUrl)).toBe(200);
    expect(await bare("GET", url)).toBe(404);
  });
});

describe.each<Way>(["in process", "over HTTP"])("an upload %s", (way) => {
  it("takes every file part, whatever its name, and updates by file name", async () => {
    const rig = await makeShop({ way: "in process" });
    const form = new FormData();
    form.append("anything", new Blob(["a\n1"]), "one.csv");
    form.append("note", "no file");
    form.append("file", new Blob(["x"]), "two.txt");
    const base = way === "over HTTP" ? (await rig.service.listen(0)).url : undefined;
    const send = base ? fetch : rig.service.fetch;
    const upload = async (body: FormData) => {
      const response = await send(`${base ?? "http://service"}/api/scripts/1/data-stores`, {
        method: "POST",
        body,
        headers: { "x-api-key": "local" },
      });
      return { status: response.status, body: await response.json() };
    };
    expect(await upload(form)).toMatchObject({
      status: 200,
      body: {
        files: [
          { id: 1, name: "one.csv", numRows: 1 },
          { id: 2, name: "two.txt" },
        ],
      },
    });
    expect(await upload(form)).toMatchObject({ body: { files: [{ id: 1 }, { id: 2 }] } });
    expect(await upload(new FormData())).toMatchObject({ status: 400 });
    expect(
      (await rig.call("POST", "/scripts/1/data-stores", "{}", { "content-type": "application/json" })).status,
    ).toBe(415);
    await rig.close();
  });
});

describe("row iterators", () => {
  const take = async (rig: Awaited<ReturnType<typeof makeShop>>, query: string, name = "it") => {
    const { status, body } = await rig.call("GET", `/data-stores/1/rows/iterators/${name}?${query}`);
    return status === 200 ? body.map((row: { rowIndex: number }) => row.rowIndex) : status;
  };
  const make = async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: base64("h\n1\n2\n3") });
    return rig;
  };

  it("hand out each row once and start again when they wrap", async () => {
    const rig = await make();
    expect([
      await take(rig, "rows=2"),
      await take(rig, ""),
      await take(rig, "rows=2"),
      await take(rig, "rows=4"),
    ]).toEqual([[1, 2], [3], [1, 2], [3, 1, 2, 3]]);
    expect(await take(rig, "", "other")).toEqual([1]);
  });

  it("end with an error on every later call when they do not wrap", async () => {
    const rig = await make();
    const asked = [
      await take(rig, "rows=2&wrap=false"),
      await take(rig, "rows=2&wrap=false"),
      await take(rig, "wrap=false"),
      await take(rig, "wrap=false"),
    ];
    expect(asked).toEqual([[1, 2], [3], 410, 410]);
    expect(await take(rig, "wrap=true")).toBe(410);
    expect(await take(rig, "wrap=true", "new")).toEqual([1]);
  });

  it("that came to the end with wrapping go on, unless a call says not to", async () => {
    const rig = await make();
    expect(await take(rig, "rows=3")).toEqual([1, 2, 3]);
    expect(await take(rig, "wrap=false")).toBe(410);
    expect(await take(rig, "")).toEqual([1]);
  });

  it("do not move for HEAD", async () => {
    const rig = await make();
    expect((await rig.call("HEAD", "/data-stores/1/rows/iterators/it")).status).toBe(200);
    expect(await take(rig, "")).toEqual([1]);
  });

  it("go after an hour without use", async () => {
    const rig = await make();
    await take(rig, "");
    await rig.service.advance(59 * 60_000);
    expect(await take(rig, "")).toEqual([2]);
    await rig.service.advance(60 * 60_000);
    expect(Object.keys(rig.service.snapshot().tables)).not.toContain("iterator");
    expect(await take(rig, "")).toEqual([1]);
  });

  it.each(["rows=0", "rows=x", "wrap=maybe"])("refuse %s", async (query) => {
    expect(await take(await make(), query)).toBe(400);
  });

  it("are 410 on a file without rows", async () => {
    const rig = await make();
    await rig.ok("PUT", "/data-stores/1/contents", { contents: "" });
    const { status, body } = await rig.call("GET", "/data-stores/1/rows/iterators/it");
    expect([status, body.message]).toEqual([
      410,
      "found a file without rows; expected one with rows below its headers",
    ]);
  });
});
