import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { redactor } from "../../../src/model/redact.ts";
import type { Notification } from "../../../src/watch/notifications.ts";
import { notificationSender, type SendOptions } from "../../../src/watch/status/send-notifications.ts";

const secretPath = "/services/T0/B0/very-secret-path";

const about = (project: string, more: Partial<Notification> = {}): Notification => ({
  ...{ text: `${project} drifted`, project, state: "drifted", was: "in-sync", on: "drifted", commit: "a1" },
  at: "2026-11-24T12:00:00.000Z",
  ...more,
});

/** A receiver that answers as it is told to, with what it got. */
async function receiver(answer: (response: ServerResponse, count: number, request: IncomingMessage) => void) {
  const got: { readonly body: string; readonly request: IncomingMessage }[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    got.push({ body, request });
    answer(response, got.length, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}${secretPath}`;
  return { got, webhook, projects: () => got.map(({ body }) => (JSON.parse(body) as Notification).project) };
}

const ok = (response: ServerResponse) => void response.end("ok");

function sending(webhooks: readonly string[], on: Notification["on"][] = ["drifted"], more: Partial<SendOptions> = {}) {
  const log: string[] = [];
  const slept: number[] = [];
  const sender = notificationSender(
    webhooks.map((webhook) => ({ webhook, on })),
    {
      fetch,
      redact: redactor(["hunter2secret"]),
      warn: (line) => log.push(line),
      sleep: async (ms) => void slept.push(ms),
      ...more,
    },
  );
  onTestFinished(() => sender.close());
  const settled = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });
  return { sender, log, slept, settled };
}

describe("a notification", () => {
  it("is posted as the document of the contract, without secrets, to those who want it", async () => {
    const [all, few] = [await receiver(ok), await receiver(ok)];
    const { sender } = sending([all.webhook]);
    const other = sending([few.webhook], ["failed"]);
    for (const each of [sender, other.sender])
      each.tell(about("webshop", { text: "webshop drifted: token hunter2secret" }));
    await sender.close();
    await other.sender.close();
    expect(all.got.map(({ body }) => body)).toEqual([
      '{"text":"webshop drifted: token (sensitive)","project":"webshop","state":"drifted","was":"in-sync","commit":"a1","at":"2026-11-24T12:00:00.000Z"}',
    ]);
    expect(all.got[0]?.request).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
    expect(few.got).toEqual([]);
  });

  it("of an event is sent although the state is the same", async () => {
    const { got, webhook } = await receiver(ok);
    const { sender } = sending([webhook], ["healed"]);
    sender.tell(about("webshop", { on: "healed", state: "in-sync" }));
    await sender.close();
    expect(got).toHaveLength(1);
  });

  it("is tried again until it is taken, in order, with pauses that grow and those that are asked for", async () => {
    const { webhook, projects } = await receiver((response, count) => {
      if (count === 1) response.writeHead(503).end();
      else if (count === 2) response.writeHead(429, { "retry-after": "30" }).end();
      else if (count === 3) response.destroy();
      else ok(response);
    });
    const { sender, slept, log, settled } = sending([webhook]);
    sender.tell(about("a"));
    sender.tell(about("b"));
    await settled(() => expect(projects()).toEqual(["a", "a", "a", "a", "b"]));
    expect(slept).toEqual([1000, 30_000, 15_000]);
    expect(log).toEqual([]);
  });

  it("is given up after some tries, and the next one is sent", async () => {
    const { webhook, projects } = await receiver((response, count) => {
      if (count <= 6) response.writeHead(500).end();
      else ok(response);
    });
    const { sender, log, settled } = sending([webhook]);
    sender.tell(about("a"));
    sender.tell(about("b"));
    await settled(() => expect(projects()).toEqual(["a", "a", "a", "a", "a", "a", "b"]));
    expect(log).toEqual(["a notification was not sent to webhook 1 of notify: it answered 500"]);
  });

  it.each([
    [404, {}, "it answered 404"],
    [
      302,
      { location: "http://127.0.0.1:1/elsewhere" },
      "it answered 302, a redirect, which is not followed: set the address that it leads to",
    ],
  ])("that is answered with %i is not tried again", async (status, headers, reason) => {
    const { got, webhook } = await receiver((response) => void response.writeHead(status, headers).end("no"));
    const { sender, log } = sending([webhook]);
    sender.tell(about("a"));
    await sender.close();
    expect(got).toHaveLength(1);
    expect(log).toEqual([`a notification was not sent to webhook 1 of notify: ${reason}`]);
  });
});

describe("a receiver", () => {
  it("that hangs holds up no other, and nobody at the end", async () => {
    const [hanging, good] = [await receiver(() => undefined), await receiver(ok)];
    const { sender, log, settled } = sending([hanging.webhook, good.webhook]);
    for (const name of ["a", "b", "c"]) sender.tell(about(name));
    await settled(() => expect(good.projects()).toEqual(["a", "b", "c"]));
    const began = Date.now();
    await sender.close();
    expect(Date.now() - began).toBeLessThan(5000);
    expect(log).toEqual([
      "a notification was not sent to webhook 1 of notify: the watcher ended",
      "2 notifications were not sent to webhook 1 of notify: the watcher ended",
    ]);
  });

  it("whose answer does not end is one that took it", async () => {
    const { projects, webhook } = await receiver((response) => void response.writeHead(200).write("x"));
    const { sender, settled } = sending([webhook]);
    sender.tell(about("a"));
    sender.tell(about("b"));
    await settled(() => expect(projects()).toEqual(["a", "b"]));
  });

  it("that was away for long gets the newest, and the log says how many it does not get", async () => {
    const { got, webhook, projects } = await receiver(ok);
    let free = () => undefined as unknown;
    const gate = new Promise<void>((resolve) => {
      free = resolve as () => unknown;
    });
    const slow: SendOptions["fetch"] = async (url, init) => {
      await gate;
      return await fetch(url, init);
    };
    const { sender, log, settled } = sending([webhook], ["drifted"], { fetch: slow });
    for (let number = 0; number < 250; number++) sender.tell(about(`p${number}`));
    free();
    await settled(() => expect(got).toHaveLength(101));
    expect(projects().slice(0, 2)).toEqual(["p0", "p150"]);
    expect(projects().at(-1)).toBe("p249");
    expect(log.join()).toContain("older notifications were not sent to webhook 1 of notify: 100 were waiting");
  });

  it.each(["http://127.0.0.1:1", "no address", "http://", "https://user:pass@127.0.0.1:1"])(
    "that cannot be reached at %s is not named in the log",
    async (address) => {
      const { sender, log } = sending([`${address}${secretPath}`]);
      sender.tell(about("a"));
      await sender.close();
      expect(log).toHaveLength(1);
      expect(log.join()).not.toMatch(/very-secret|127\.0\.0\.1|pass|no address/);
    },
  );
});
