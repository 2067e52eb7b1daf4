import { describe, expect, it } from "vitest";
import { repositoryName, withoutUserInfo } from "../../../src/watch/status/repository-name.ts";

describe("the name of a repository", () => {
  it.each([
    "https://git.example.com/qa/tests.git",
    "https://git.example.com/qa/tests",
    "https://git.example.com/qa/tests/",
    "http://git.example.com:80/qa/tests.git/",
    "https://GIT.Example.com:443/qa/tests.git",
    "https://bot:pass%40word@git.example.com/qa/tests.git",
    "git@git.example.com:qa/tests.git",
    "git.example.com:qa/tests",
    "git@Git.Example.Com:/qa/tests.git",
    "ssh://git@git.example.com/qa/tests.git",
    "ssh://git@GIT.example.com:22/qa/tests",
    "git://git.example.com/qa/tests.git",
    " https://git.example.com/qa/tests.git\n",
  ])("is the same for %s", (address) => {
    expect(repositoryName(address)).toBe("git.example.com/qa/tests");
  });

  it.each([
    ["another path", "https://git.example.com/qa/tests2.git"],
    ["another owner", "git@git.example.com:dev/tests.git"],
    ["the path in another case", "https://git.example.com/QA/tests.git"],
    ["another host", "https://git.example.org/qa/tests.git"],
    ["another port", "ssh://git@git.example.com:2222/qa/tests.git"],
    ["a host that ends alike", "https://evil-git.example.com/qa/tests.git"],
    ["a user that looks like the host", "https://git.example.com@evil.example.org/qa/tests.git"],
  ])("differs for %s", (_, address) => {
    expect(repositoryName(address)).not.toBe("git.example.com/qa/tests");
  });

  it.each([
    ["ssh://git@git.example.com:2222/qa/tests.git", "git.example.com:2222/qa/tests"],
    ["git@[::1]:qa/tests.git", "[::1]/qa/tests"],
    ["file:///srv/git/tests.git", "/srv/git/tests"],
    ["/srv/git/tests.git", "/srv/git/tests"],
    ["https://git.example.com/group/sub/tests.git", "git.example.com/group/sub/tests"],
    ["https://git.example.com/qa/a%20b.git", "git.example.com/qa/a b"],
  ])("of %s is %s", (address, name) => {
    expect(repositoryName(address)).toBe(name);
  });

  it.each([
    "",
    ".git",
    "https://",
    "https://git.example.com/",
    "tests",
    "https://git.example.com/%E0%A4%A",
    "https://[",
  ])("is undefined for %j", (address) => {
    expect(repositoryName(address)).toBeUndefined();
  });
});

describe("an address without its login", () => {
  it.each([
    ["https://bot:secret@git.example.com/a.git", "https://git.example.com/a.git"],
    ["https://ghp_token@git.example.com/a.git", "https://git.example.com/a.git"],
    ["https://bot:se@cret@git.example.com/a.git", "https://git.example.com/a.git"],
    ["ssh://git:secret@git.example.com/a.git", "ssh://git.example.com/a.git"],
    ["ssh://git@git.example.com/a.git", "ssh://git@git.example.com/a.git"],
    ["git@git.example.com:a/b.git", "git@git.example.com:a/b.git"],
    ["https://git.example.com/a@b.git", "https://git.example.com/a@b.git"],
  ])("of %s is %s", (address, expected) => {
    expect(withoutUserInfo(address)).toBe(expected);
  });
});
