import { createServer, request as forward } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { ClientBench } from "../support/client-bench.ts";

const bench = new ClientBench();
const closing: (() => void)[] = [];
afterEach(async () => {
  await bench.closeAll();
  for (const close of closing.splice(0)) close();
});

/** A proxy that tunnels and forwards, and remembers for whom. */
async function startProxy() {
  const seen: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    seen.push(String(incoming.url));
    const { method, headers } = incoming;
    const onward = forward(String(incoming.url), { ...(method && { method }), headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  proxy.on("connect", (incoming, socket) => {
    seen.push(String(incoming.url));
    const [host, port] = String(incoming.url).split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { seen, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

it.each<[string, (proxy: string) => Record<string, string>, boolean]>([
  ["HTTP_PROXY", (proxy) => ({ HTTP_PROXY: proxy }), true],
  ["http_proxy", (proxy) => ({ http_proxy: proxy, HTTP_PROXY: "http://127.0.0.1:9" }), true],
  ["HTTPS_PROXY alone", (proxy) => ({ HTTPS_PROXY: proxy }), false],
  ["NO_PROXY", (proxy) => ({ HTTP_PROXY: proxy, NO_PROXY: "127.0.0.1" }), false],
  ["an empty HTTP_PROXY", () => ({ HTTP_PROXY: "" }), false],
])("with %s the proxy is used as the environment says", async (_, env, expected) => {
  const proxy = await startProxy();
  const { client, server } = await bench.setUp([{ body: [{ id: 0 }] }], { env: env(proxy.url) });
  expect(await client.call("GET /providers")).toEqual([{ id: 0 }]);
  expect(proxy.seen.length > 0).toBe(expected);
  expect(server.arrived).toHaveLength(1);
});

it("a proxy that is not there means that nothing was sent", async () => {
  const { client } = await bench.setUp([{ body: [] }], { env: { HTTP_PROXY: "http://127.0.0.1:9" } });
  await expect(client.call("POST /providers", {})).rejects.toMatchObject({ arrival: "not-sent" });
});

it("a proxy that hangs up is tried no more often than a service", async () => {
  let connections = 0;
  const proxy = createServer();
  proxy.on("connection", () => connections++);
  proxy.on("connect", (_, socket) => socket.end());
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closing.push(() => proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { client } = await bench.setUp([{ body: [] }], { env: { HTTP_PROXY: url } });
  await expect(client.call("GET /providers")).rejects.toThrow(
    /the proxy hung up, through the proxy 127\.0\.0\.1:\d+ of \$HTTP_PROXY/,
  );
  expect(connections).toBe(5);
});
