import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { connectionProblem } from "../../src/client/connection-problem.ts";
import { explainServiceError } from "../../src/model/service-error.ts";
import { certificate, privateKey } from "../service/support/loopback-certificate.ts";
import { ClientBench, failureOf } from "../support/client-bench.ts";
import { closedPort } from "../support/misbehaving-server.ts";

const bench = new ClientBench();
const closing: (() => void)[] = [];
afterEach(async () => {
  await bench.closeAll();
  for (const close of closing.splice(0)) close();
});

async function selfSigned(): Promise<string> {
  const server = createServer({ cert: certificate, key: privateKey }, (_, response) => response.end("[]"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a first request to an address comes to: its words, and how often it was sent. */
async function firstRequest(url: string, env: Readonly<Record<string, string>> = {}) {
  const { client, events } = bench.clientOf(url, { env });
  const told = explainServiceError(await failureOf(client.call("GET /login")));
  return { told: `${told.code} ${told.detail}`, tries: events.length };
}

describe("a first request that reaches nobody", () => {
  it("says that nothing listens, once", async () => {
    const url = await closedPort();
    expect(await firstRequest(url)).toEqual({
      told: `LF2001 GET /login: the service was not reached: nothing listens at ${url.slice(7)} (connection refused). Check service.url, $LOADFORM_URL and the network`,
      tries: 1,
    });
  });

  it("says that the port speaks http", async () => {
    const { url } = await bench.server([{ body: [] }]);
    const host = url.slice("http://".length);
    const { told, tries } = await firstRequest(`https://${host}`);
    expect(told).toContain(`${host} does not speak https. It speaks http: use http://${host}`);
    expect([told.includes("routines"), tries]).toEqual([false, 1]);
  });

  it("says what to set for a private authority", async () => {
    const { told, tries } = await firstRequest(await selfSigned());
    expect(told).toContain("its certificate is self-signed");
    expect(told).toContain("set $NODE_EXTRA_CA_CERTS to a PEM file");
    expect([told.includes("network"), tries]).toEqual([false, 1]);
  });

  it.each(["http:", "https:"])("says that it was a proxy, without its password, for %s", async (protocol) => {
    const proxy = (await closedPort()).replace("http://", "http://me:s3cret@");
    const variable = protocol === "http:" ? "http_proxy" : "HTTPS_PROXY";
    const { told, tries } = await firstRequest(`${protocol}//load.example.com`, { [variable]: proxy });
    const host = new URL(proxy).host;
    expect(told).toContain(`nothing listens at the proxy ${host} of $${variable} (connection refused)`);
    expect(told).toContain(`Check $${variable}; list hosts to reach directly in $NO_PROXY`);
    expect([told.includes("s3cret"), tries]).toEqual([false, 1]);
  });
});

describe("an error of TLS", () => {
  const cases: readonly [string, string][] = [
    ["CERT_HAS_EXPIRED", "its certificate has expired"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "signed by an unknown authority"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "signed by an unknown authority"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another host (DNS:other.example.com)"],
  ];
  it.each(cases)("%s is final", (code, words) => {
    const said = "Hostname/IP does not match certificate's altnames: DNS:other.example.com";
    const told = connectionProblem(Object.assign(new Error(said), { code }), {
      origin: "https://load.example.com",
      proxy: undefined,
    });
    expect(told).toMatchObject({ message: expect.stringContaining(words), retry: "never" });
    expect(told.advice).toBeDefined();
  });
});

it("a list that is not there is a wrong path of the service", async () => {
  const body = { code: "NOT_FOUND", message: "found no route GET /foo/login" };
  const { client } = await bench.setUp([{ status: 404, body }]);
  const told = explainServiceError(await failureOf(client.call("GET /login")));
  expect(told.summary).toBe("there is no such service at this address (status 404)");
  expect(told.detail).toContain("Check service.url and $LOADFORM_URL: most likely their path is wrong");
});
