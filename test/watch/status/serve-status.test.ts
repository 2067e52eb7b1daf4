// engine: it asks a server over a socket.
import { describe, expect, it } from "vitest";
import { Problem } from "../../../src/model/diagnostic.ts";
import { serveStatus } from "../../../src/watch/status/serve-status.ts";
import { gitlabPush } from "./sample-hooks.ts";
import { noon, viewOf, watched } from "./sample-projects.ts";
import { authorized, projects, raw, start, token } from "./status-rig.ts";

describe("with a token", () => {
  it("the API is read and written by whoever sends it", async () => {
    const { ask, post, view } = await start({ token });
    const status = await ask("/api/status", authorized);
    expect(status.status).toBe(200);
    expect(((await status.json()) as { projects: object[] }).projects).toHaveLength(2);
    const one = (await (await ask("/api/projects/webshop", authorized)).json()) as object;
    expect(one).toMatchObject({ name: "webshop", plan: "+ testCase.a", history: [] });
    expect((await post("/api/projects/webshop/check")).status).toBe(202);
    expect((await post("/api/projects/webshop/check", { retry: true })).status).toBe(202);
    const name = encodeURIComponent("a/b ä");
    const suspended = await post(`/api/projects/${name}/suspend`, { until: "2026-11-24T19:00:00+01:00" });
    expect(await suspended.json()).toMatchObject({
      state: "suspended",
      suspended: { until: "2026-11-24T18:00:00.000Z" },
    });
    expect((await post(`/api/projects/${name}/suspend`)).status).toBe(200);
    expect(await (await post(`/api/projects/${name}/resume`)).json()).toMatchObject({ suspended: null });
    expect(view.asked).toEqual([
      "ask webshop",
      "ask webshop retry",
      `suspend a/b ä ${Date.parse("2026-11-24T18:00:00Z")}`,
      "suspend a/b ä without end",
      "resume a/b ä",
    ]);
  });

  it.each([
    ["none", {}],
    ["another", { authorization: "Bearer watch-tokem" }],
    ["a longer one", { authorization: `Bearer ${token}${token}` }],
    ["an empty one", { authorization: "Bearer " }],
    ["it as a password", { authorization: `Basic ${btoa(`:${token}`)}` }],
    ["it as a cookie", { cookie: `token=${token}; authorization=Bearer ${token}` }],
  ] as const)("nothing is read or written with %s", async (_, headers: Record<string, string>) => {
    const { ask, post, view } = await start({ token });
    for (const path of ["/api/status", "/api/projects/webshop", "/api/projects/none", "/metrics"]) {
      const answer = await ask(path, { headers });
      expect(answer.status, path).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(await answer.text()).not.toMatch(/webshop|drifted/);
    }
    for (const order of ["check", "suspend", "resume"])
      expect((await post(`/api/projects/webshop/${order}`, {}, headers)).status).toBe(401);
    expect((await ask("/api/status?token=watch-token", { headers })).status).toBe(401);
    expect(view.asked).toEqual([]);
  });

  it("two of them in one request are none", async () => {
    const { port } = await start({ token });
    const lines = ["GET /api/status HTTP/1.1", "Host: 127.0.0.1", `Authorization: Bearer ${token}`];
    expect(await raw(port, ...lines)).toBe(200);
    expect(await raw(port, ...lines, "Authorization: Bearer x")).toBe(401);
  });
});

describe("without a token", () => {
  it("what is on loopback is read, under names of this machine alone", async () => {
    const { port, ask } = await start();
    expect((await ask("/api/status")).status).toBe(200);
    const read = (host: string, path = "/api/status") => raw(port, `GET ${path} HTTP/1.1`, `Host: ${host}`);
    for (const host of ["127.0.0.1", `localhost:${port}`, "[::1]:80", "LOCALHOST", "watch.localhost:1"])
      expect(await read(host), host).toBe(200);
    for (const host of [
      "evil.example.com",
      `evil.example.com:${port}`,
      "localhost.evil.example.com",
      "10.0.0.1",
      "localhost@evil",
    ])
      for (const path of ["/api/status", "/api/projects/webshop", "/metrics"])
        expect(await read(host, path), host).toBe(403);
    expect(await raw(port, "GET /api/status HTTP/1.0")).toBe(403);
    expect(await raw(port, "GET /api/status HTTP/1.1", "Host: localhost", "Host: evil.example.com")).not.toBe(200);
  });

  it("nothing is written, and the answer says how it would be", async () => {
    const { post, view } = await start();
    for (const order of ["check", "suspend", "resume"]) {
      const answer = await post(`/api/projects/webshop/${order}`);
      expect(answer.status).toBe(403);
      expect(((await answer.json()) as { error: string }).error).toContain("$LOADFORM_WATCH_TOKEN");
    }
    expect(view.asked).toEqual([]);
  });

  it.each(["0.0.0.0:0", "[::]:0"])("it does not listen at %s", async (address) => {
    const tried = serveStatus({ view: viewOf([]), address, now: () => noon });
    await expect(tried).rejects.toThrow("listening beyond loopback needs a token");
    await expect(serveStatus({ view: viewOf([]), address, token: "", now: () => noon })).rejects.toThrow(
      "needs a token",
    );
  });
});

describe("health", () => {
  it("is told to everybody, without data; ready is a watcher that knows every project", async () => {
    const view = viewOf([...projects(), watched("new")]);
    const { port, ask } = await start({ token }, view);
    expect(await raw(port, "GET /healthz HTTP/1.1", "Host: 10.1.2.3:8090")).toBe(200);
    const waiting = await ask("/readyz");
    expect([waiting.status, await waiting.text()]).toEqual([503, "not every project has been checked yet\n"]);
    view.all = [...projects(), watched("new", { state: "suspended" })];
    const ready = await ask("/readyz");
    expect([ready.status, await ready.text()]).toEqual([200, "ready\n"]);
  });

  it("does not depend on a queue that cannot be asked; the rest says that it does", async () => {
    const away = { ...viewOf([]), projects: () => Promise.reject(new Error("postgres://u:secret@db")) };
    const { ask } = await start({}, away as never);
    expect((await ask("/healthz")).status).toBe(200);
    for (const path of ["/readyz", "/api/status", "/metrics", "/api/projects/a"]) {
      const answer = await ask(path);
      expect(answer.status, path).toBe(503);
      expect(await answer.text()).not.toContain("secret");
    }
  });
});

describe("every answer", () => {
  it.each(["/", "/healthz", "/api/status", "/api/projects/none", "/nothing", "/hooks/github", "/metrics"])(
    "of %s has headers that keep it to itself",
    async (path) => {
      const { ask } = await start();
      const { headers } = await ask(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("set-cookie")).toBeNull();
    },
  );

  it("to HEAD is that to GET without its body", async () => {
    const { ask } = await start();
    const [get, head] = [await ask("/api/status"), await ask("/api/status", { method: "HEAD" })];
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    expect(await head.text()).toBe("");
  });

  it.each([
    ["GET", "/nothing", 404, null],
    ["GET", "/api/projects", 404, null],
    ["GET", "/api/projects/webshop/", 404, null],
    ["POST", "/api/status", 405, "GET, HEAD"],
    ["DELETE", "/api/projects/webshop", 405, "GET, HEAD"],
    ["GET", "/api/projects/webshop/check", 405, "POST"],
    ["OPTIONS", "/api/projects/webshop/check", 405, "POST"],
    ["GET", "/hooks/github", 405, "POST"],
    ["POST", "/hooks/bitbucket", 404, null],
    ["GET", "/api/projects/%E0%A4%A", 404, null],
    ["GET", "/api/projects/toString", 404, null],
  ])("to %s %s is %i", async (method, path, status, allow) => {
    const { ask } = await start({ token });
    const answer = await ask(path, { method, ...authorized });
    expect([answer.status, answer.headers.get("allow")]).toEqual([status, allow]);
    expect(Object.keys((await answer.json()) as object)).toEqual(["error"]);
  });

  it("repeats nothing that was sent", async () => {
    const { ask, post } = await start({ token, hookSecret: "s" });
    const mark = "ZZmarkZZ";
    const texts = [
      await ask(`/${mark}?${mark}`, { headers: { ...authorized.headers, "x-mark": mark } }),
      await ask(`/api/projects/${mark}`, authorized),
      await post("/api/projects/webshop/check", { [mark]: mark }),
      await post("/api/projects/webshop/check", `{"${mark}`),
      await post("/api/projects/webshop/check", {}, { authorization: `Bearer ${mark}` }),
      await post("/hooks/gitlab", mark, { "x-gitlab-token": "s" }),
      await post("/hooks/gitlab", gitlabPush({ ref: `refs/heads/${mark}` } as object), { "x-gitlab-token": "s" }),
    ];
    for (const answer of texts) expect(await answer.text()).not.toContain(mark);
  });
});

describe("an order", () => {
  it.each([
    ["a form of another page", { "content-type": "application/x-www-form-urlencoded" }, "retry=1", 415],
    ["a text", { "content-type": "text/plain" }, "{}", 415],
    ["no JSON", {}, "{", 400],
    ["a list", {}, "[]", 400],
    ["another member", {}, '{"retry":true,"force":true}', 400],
    ["a retry that is no boolean", {}, '{"retry":"yes"}', 400],
    ["a body that is too long", {}, `{"retry":${" ".repeat(20_000)}true}`, 413],
  ])("that is %s is refused", async (_, headers, body, status) => {
    const { post, view } = await start({ token });
    expect((await post("/api/projects/webshop/check", body, { ...authorized.headers, ...headers })).status).toBe(
      status,
    );
    expect(view.asked).toEqual([]);
  });

  it("may have no body", async () => {
    const { post } = await start({ token });
    expect((await post("/api/projects/webshop/check", "")).status).toBe(202);
  });

  it("needs a content type only with a body", async () => {
    const { ask, view } = await start({ token });
    const path = "/api/projects/webshop/check";
    expect((await ask(path, { method: "POST", ...authorized })).status).toBe(202);
    const bytes = { method: "POST", body: new TextEncoder().encode("{}"), ...authorized };
    expect((await ask(path, bytes)).status).toBe(415);
    expect(view.asked).toHaveLength(1);
  });

  it.each([
    "2026-11-24T12:00:00Z",
    "tomorrow",
    "2026-11-25",
    "2026-13-45T00:00:00Z",
    "2027-02-30T00:00:00Z",
    "2026-11-25T12:00:00",
    7,
  ])("to suspend until %s is refused", async (until) => {
    const { post, view } = await start({ token });
    expect((await post("/api/projects/webshop/suspend", { until })).status).toBe(400);
    expect(view.asked).toEqual([]);
  });
});

describe("the server", () => {
  it("says why it cannot listen", async () => {
    const { server, port } = await start();
    expect(server.url).toBe(`http://127.0.0.1:${port}`);
    const again = serveStatus({ view: viewOf([]), address: `127.0.0.1:${port}`, now: () => noon });
    await expect(again).rejects.toThrow(Problem);
    await expect(again).rejects.toThrow(`port ${port} is taken`);
    await expect(serveStatus({ view: viewOf([]), address: "8090", now: () => noon })).rejects.toThrow("is not valid");
  });

  it("ends at once, with a request under way", async () => {
    const never = { ...viewOf([]), projects: () => new Promise<never>(() => undefined) };
    const { server, ask } = await start({}, never as never);
    const hanging = ask("/api/status");
    hanging.catch(() => undefined);
    await ask("/healthz");
    const began = Date.now();
    await server.close();
    expect(Date.now() - began).toBeLessThan(1000);
    await expect(hanging).rejects.toThrow();
  });
});
