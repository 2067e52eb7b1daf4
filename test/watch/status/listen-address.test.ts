import { describe, expect, it } from "vitest";
import { listenProblem, parseListenAddress } from "../../../src/watch/status/listen-address.ts";

describe("the address to listen at", () => {
  it.each([
    ["127.0.0.1:8090", "127.0.0.1", 8090],
    ["[::1]:0", "::1", 0],
    ["0.0.0.0:65535", "0.0.0.0", 65_535],
    ["watch.example.com:80", "watch.example.com", 80],
  ])("%s is read", (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ host, port });
  });

  it.each(["8090", ":8090", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:8090", "http://a:1", "a b:1", "[a]:-1"])(
    "%s is refused with the form it must have",
    (text) => {
      expect(listenProblem(text, { hasToken: true })?.detail).toContain("HOST:PORT");
    },
  );

  it.each(["127.0.0.1:0", "127.1.2.3:1", "localhost:8090", "[::1]:8090", "LOCALHOST:1"])(
    "%s needs no token",
    (text) => {
      expect(listenProblem(text, { hasToken: false })).toBeUndefined();
    },
  );

  it.each(["0.0.0.0:8090", "[::]:8090", "10.0.0.5:8090", "localhost.example.com:1", "127.0.0.1.example.com:1"])(
    "%s needs a token",
    (text) => {
      expect(listenProblem(text, { hasToken: false })?.summary).toBe("listening beyond loopback needs a token");
      expect(listenProblem(text, { hasToken: true })).toBeUndefined();
    },
  );
});
