import { expect, it } from "vitest";
import { chooseProxy } from "../../src/client/choose-proxy.ts";

const proxy = "http://me:s3cret@proxy.example.com:3128";
const origin = "https://load.example.com";

it.each([
  ["", true],
  ["other.example.com", true],
  ["load.example.com", false],
  ["LOAD.example.com", false],
  ["example.com", false],
  [".example.com", false],
  ["*.example.com", false],
  ["ample.com", true],
  ["load.example.com:443", false],
  ["load.example.com:8443", true],
  ["localhost, example.com", false],
  ["*", false],
])("with NO_PROXY=%s the proxy is used: %s", (list, expected) => {
  const found = chooseProxy(origin, { HTTPS_PROXY: proxy, NO_PROXY: list });
  expect(found !== undefined).toBe(expected);
});

it("the lower-case variable is named, and no credentials are shown", () => {
  const env = { https_proxy: proxy, HTTPS_PROXY: "http://other.example.com" };
  expect(chooseProxy(origin, env)).toEqual({
    url: proxy,
    shown: "proxy.example.com:3128",
    variable: "https_proxy",
  });
  expect(chooseProxy("http://load.example.com", env)).toBeUndefined();
});

it.each([
  ["::1", "http://[::1]:8080"],
  ["[::1]", "http://[::1]:8080"],
  ["[::1]:8080", "http://[::1]:8080"],
])("NO_PROXY=%s exempts %s", (list, at) => {
  expect(chooseProxy(at, { HTTP_PROXY: proxy, NO_PROXY: list })).toBeUndefined();
});

it("an address without a scheme is that of an HTTP proxy, and another one is refused", () => {
  const found = chooseProxy(origin, { HTTPS_PROXY: "me:pw@10.0.0.1:3128" });
  expect(found).toEqual({ url: "http://me:pw@10.0.0.1:3128", shown: "10.0.0.1:3128", variable: "HTTPS_PROXY" });
  for (const wrong of ["socks5://a.example:1080", "http://", "a b"])
    expect(() => chooseProxy(origin, { HTTPS_PROXY: wrong })).toThrow("the proxy cannot be used");
});
