import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { githubPush, gitlabPush } from "./sample-hooks.ts";
import { authorized, start, token } from "./status-rig.ts";

describe("a hook", () => {
  const hookSecret = "hook-secret";
  const sign = (body: string) => `sha256=${createHmac("sha256", hookSecret).update(body).digest("hex")}`;

  it("of a push asks for a check of the repository's projects, without the token of the API", async () => {
    const { post, view } = await start({ token, hookSecret });
    const body = JSON.stringify(githubPush());
    const headers = { "x-github-event": "push", "x-hub-signature-256": sign(body) };
    const answer = await post("/hooks/github", body, headers);
    expect([answer.status, await answer.json()]).toEqual([202, { asked: 1 }]);
    expect(view.asked).toEqual(["ask webshop"]);
    const gitlab = await post("/hooks/gitlab", gitlabPush(), { "x-gitlab-token": hookSecret });
    expect([gitlab.status, await gitlab.json()]).toEqual([200, { asked: 0 }]);
  });

  it("is answered and does nothing when it is a ping", async () => {
    const { post, view } = await start({ hookSecret });
    const headers = { "x-github-event": "ping", "x-hub-signature-256": sign("{}") };
    const answer = await post("/hooks/github", "{}", headers);
    expect([answer.status, await answer.json()]).toEqual([200, { asked: 0, ignored: "not a push" }]);
    expect(view.asked).toEqual([]);
  });

  it("that is not signed is refused, also with the token of the API", async () => {
    const { post, view } = await start({ token, hookSecret });
    const body = JSON.stringify(githubPush());
    const all = [
      ["github", {}],
      ["github", { "x-hub-signature-256": sign(`${body} `) }],
      ["github", { "x-gitlab-token": hookSecret }],
      ["gitlab", {}],
      ["gitlab", { "x-gitlab-token": token }],
      ["gitlab", { "x-hub-signature-256": sign(body) }],
    ] as const;
    for (const [sender, headers] of all)
      expect(
        (await post(`/hooks/${sender}`, body, { ...authorized.headers, "x-github-event": "push", ...headers })).status,
      ).toBe(401);
    expect(view.asked).toEqual([]);
  });

  it.each([undefined, ""])("is answered with 404 where the secret is %j", async (none) => {
    const { post } = await start({ token, hookSecret: none });
    const body = JSON.stringify(githubPush());
    const signature = `sha256=${createHmac("sha256", "").update(body).digest("hex")}`;
    const headers = { "x-hub-signature-256": signature, "x-gitlab-token": "", "x-github-event": "push" };
    expect((await post("/hooks/github", body, headers)).status).toBe(404);
    expect((await post("/hooks/gitlab", body, headers)).status).toBe(404);
  });

  it("that is too large is answered, and the next one is taken", async () => {
    const { post } = await start({ hookSecret });
    const headers = { "x-gitlab-token": hookSecret };
    expect((await post("/hooks/gitlab", "x".repeat(6_000_000), headers)).status).toBe(413);
    expect((await post("/hooks/gitlab", gitlabPush(), headers)).status).toBe(200);
  });
});
