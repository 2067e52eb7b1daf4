import { Construct } from "constructs";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import type { AppProps, ProviderProps } from "../../gen/props.js";
import { App } from "../../src/constructs/app.ts";
import { type Expression, env, file, variable } from "../../src/constructs/expressions.ts";
import {
  Configuration,
  DataStore,
  Gateway,
  Provider,
  Region,
  Scenario,
  Schedule,
  Tag,
  TestCase,
  VcsRoot,
} from "../../src/constructs/kinds.ts";

const newApp = () => new App({ project: "shop", service: { url: "memory:" } });
const placed = { durationSecs: 60, concurrentClients: 5, providers: [{ provider: { id: 0 } }] };

describe("an App", () => {
  test("takes what the bundled service simulates, and the variable with the key", () => {
    const targets = [{ match: "GET https://shop.example.com/*", latencyMs: { p50: 100, p99: variable("p99") } }];
    const app = new App({ project: "shop", service: { url: "memory:a.json", targets, apiKey: env("SHOP_KEY") } });
    expect(app.toDocument().document).toEqual({
      project: "shop",
      service: {
        url: "memory:a.json",
        targets: [{ match: "GET https://shop.example.com/*", latencyMs: { p50: 100, p99: "${var:p99}" } }],
        apiKey: "${env:SHOP_KEY}",
      },
    });
    // A key that is written out does not compile.
    expectTypeOf<{ readonly apiKey: string }>().not.toExtend<NonNullable<AppProps["service"]>>();
    expectTypeOf<{ readonly url: string }>().toExtend<NonNullable<AppProps["service"]>>();
  });

  test("takes limits", () => {
    const limits = {
      users: { atPeak: 100, breakingPoint: variable("most") },
      hours: [{ deny: "Mon-Fri 08:00-18:00", timeZone: "Europe/Berlin" }],
      regions: { allow: ["cloud-eu-*"] },
      enforce: "warn",
    } as const;
    const { document } = new App({ project: "shop", service: { url: "memory:" }, limits }).toDocument();
    expect(document["limits"]).toEqual({ ...limits, users: { atPeak: 100, breakingPoint: "${var:most}" } });
  });

  test("hands over the document that YAML would hold", () => {
    const app = newApp();
    const checkout = new TestCase(app, "checkout", { name: "Checkout", unmanaged: "delete" });
    const browse = new Scenario(checkout, "browse", { script: file("a.js"), protect: true, ignore: ["tags"] });
    new DataStore(browse, "users.csv", { contents: file("users.csv") });
    new Gateway(checkout, "shop", { url: "https://shop.example.com" });
    const smoke = new Configuration(checkout, "smoke", { ...placed, scenario: browse, durationSecs: variable("secs") });
    new Schedule(smoke, "once", { scheduleType: "Single", nextScheduled: new Date(Date.UTC(2027, 0, 15)) });
    new VcsRoot(app, "scripts", { url: "https://git.example.com/a.git", password: env("TOKEN"), username: null });
    expect(app.toDocument().document).toEqual({
      project: "shop",
      service: { url: "memory:" },
      testCases: {
        checkout: {
          name: "Checkout",
          unmanaged: "delete",
          scenarios: {
            browse: {
              script: "${file:a.js}",
              protect: true,
              ignore: ["tags"],
              dataStores: { "users.csv": { contents: "${file:users.csv}" } },
            },
          },
          gateways: { shop: { url: "https://shop.example.com" } },
          configurations: {
            smoke: {
              ...placed,
              scenario: "checkout/browse",
              durationSecs: "${var:secs}",
              schedules: { once: { scheduleType: "Single", nextScheduled: "2027-01-15T00:00:00.000Z" } },
            },
          },
        },
      },
      vcsRoots: { scripts: { url: "https://git.example.com/a.git", password: "${env:TOKEN}", username: null } },
    });
  });

  test("refers to objects by the keys that lead to them, wherever they are made", () => {
    const app = newApp();
    const grid = new Provider(app, "grid", { providerType: "Shared" });
    const rack = new Region(app, "rack", { provider: grid });
    const nightly = new Tag(app, "nightly");
    const [one, two] = [new TestCase(app, "one"), new TestCase(app, "two")];
    const find = new Scenario(one, "find", { script: "run()", tags: [nightly, "other"] });
    new Configuration(two, "smoke", {
      ...placed,
      scenario: find,
      providers: [{ provider: grid, regions: [rack, "dc-2"] }],
    });
    const { document } = app.toDocument();
    expect(document).toMatchObject({
      testCases: {
        one: { scenarios: { find: { tags: ["nightly", "other"] } } },
        two: {
          configurations: {
            smoke: { scenario: "one/find", providers: [{ provider: "grid", regions: ["rack", "dc-2"] }] },
          },
        },
      },
      regions: { rack: { provider: "grid" } },
    });
  });

  test("looks through groups: they name nothing", () => {
    class Shop extends Construct {
      constructor(scope: Construct, id: string) {
        super(scope, id);
        new Scenario(new TestCase(this, id), "browse", { script: "run()" });
      }
    }
    const app = newApp();
    new Shop(app, "eu");
    new Shop(new Construct(app, "more"), "us");
    const { document } = app.toDocument();
    expect(Object.keys(document.testCases ?? {})).toEqual(["eu", "us"]);
  });

  test("gives siblings of different kinds the same id, each with a node id of its own", () => {
    const checkout = new TestCase(newApp(), "checkout");
    const scenario = new Scenario(checkout, "browse", { script: "run()" });
    const configuration = new Configuration(checkout, "browse", { ...placed, scenario });
    expect([scenario.node.id, configuration.node.id]).toEqual(["scenario.browse", "configuration.browse"]);
    expect(configuration.node.path).toBe("testCase.checkout/configuration.browse");
  });

  test("says where each object was made", () => {
    const app = newApp();
    new TestCase(app, "checkout");
    const stack = app.toDocument().stacks.get("testCases/checkout")?.stack ?? "";
    expect(stack.split("\n").slice(1, 6).join("\n")).toContain("app.test.ts");
  });

  test("is handed over the same twice", () => {
    const app = newApp();
    new Scenario(new TestCase(app, "checkout"), "browse", { script: "run()" });
    expect(app.toDocument().document).toEqual(app.toDocument().document);
  });
});

/** Whether the compiler lets a construct be made in a scope. */
type Takes<C extends abstract new (...args: never) => unknown, S> = S extends ConstructorParameters<C>[0]
  ? true
  : false;

test("the compiler knows where each construct may be made", () => {
  const takes: [
    Takes<typeof Configuration, TestCase>,
    Takes<typeof Configuration, Construct>,
    Takes<typeof TestCase, App>,
    Takes<typeof Configuration, Scenario>,
    Takes<typeof Scenario, App>,
    Takes<typeof Tag, TestCase>,
  ] = [true, true, true, false, false, false];
  expect(takes).toHaveLength(6);
});

describe("a construct is refused", () => {
  const app = newApp();
  const checkout = new TestCase(app, "checkout");

  test.each([
    [
      "under another kind",
      () => new Gateway(new Scenario(checkout, "a", { script: "x" }) as never, "g", { url: "x" }),
      /gateway\.g was made in scenario\.a; a gateway belongs in a testCase/,
    ],
    [
      "at the top, when it belongs below",
      () => new Scenario(app as never, "b", { script: "x" }),
      /scenario\.b was made in the App; a scenario belongs in a testCase/,
    ],
    [
      "below, when it belongs to the top",
      () => new Tag(checkout as never, "t"),
      /tag\.t was made in testCase\.checkout; a tag belongs in the App/,
    ],
    [
      "with an id that is no key",
      () => new TestCase(app, "check out"),
      /"check out" is not usable as the id of a testCase/,
    ],
    ["with a taken id", () => new TestCase(app, "checkout"), /This is a second testCase "checkout" in the same place/],
  ])("%s", (_, make, message) => {
    expect(make).toThrow(message);
  });

  test("when two groups make the same address", () => {
    const twice = newApp();
    new TestCase(new Construct(twice, "a"), "checkout");
    new TestCase(new Construct(twice, "b"), "checkout");
    expect(() => twice.toDocument()).toThrow(/b\/testCase\.checkout is a second testCase "checkout"/);
  });
});

describe("values", () => {
  const looped: Record<string, unknown> = {};
  looped["self"] = looped;

  test.each([
    ["NaN", Number.NaN, "description is NaN: a value is a text"],
    ["Infinity, within a list", ["a", Number.POSITIVE_INFINITY], "description.1 is Infinity"],
    ["a hole in a list", [undefined], "description.0 is undefined"],
    ["a function", () => 1, "description is a function"],
    ["a symbol", Symbol("s"), "description is a symbol"],
    ["a BigInt", 1n, "description is a bigint"],
    ["a Map", new Map([["a", 1]]), "description is a Map"],
    ["a Promise", Promise.resolve(1), "description is a Promise"],
    ["a URL", new URL("https://a.example"), "description is a URL"],
    [
      "bytes",
      Buffer.from("a"),
      'description is a Buffer: a value is a text, a number, true, false, null, a list or an object of such; the bytes of a file are file("path")',
    ],
    ["no valid date", new Date("2030-13-01"), "description is Invalid Date"],
    ["a loop", looped, "description.self.self leads back to itself"],
  ])("that no document has are refused: %s", (_, description, message) => {
    const app = newApp();
    new TestCase(app, "t", { description: description as never });
    expect(() => app.toDocument()).toThrow(message);
  });

  test("may be objects of a class with members and getters", () => {
    class Range {
      readonly from = 1;
      get to() {
        return 2;
      }
    }
    const app = newApp();
    new TestCase(app, "t", { description: new Range() as never });
    expect(app.toDocument().document.testCases).toEqual({ t: { description: { from: 1, to: 2 } } });
  });

  test("a path that no expression can hold is refused", () => {
    expect(() => file("data/{de}.js")).toThrow('without "}"');
  });
});

test("constructs of another copy of the package are objects as well", async () => {
  vi.resetModules();
  const copy = await import("../../src/constructs/kinds.ts");
  expect(copy.TestCase).not.toBe(TestCase);
  const app = newApp();
  const made = new copy.TestCase(app, "theirs");
  const browse = new copy.Scenario(made, "browse", { script: "run()" });
  new Configuration(made as never, "smoke", { ...placed, scenario: browse as never });
  expect(app.toDocument().document.testCases).toMatchObject({
    theirs: { scenarios: { browse: { script: "run()" } }, configurations: { smoke: { scenario: "theirs/browse" } } },
  });
});

type Props<C extends new (...given: never) => unknown> = NonNullable<ConstructorParameters<C>[2]>;

describe("props", () => {
  // The compiler judges these lines when the project is checked.
  test("are typed from the kinds", () => {
    expectTypeOf<Record<never, never>>().not.toExtend<Props<typeof Scenario>>();
    expectTypeOf<Record<never, never>>().toExtend<Props<typeof TestCase>>();
    expectTypeOf<"Flatt">().not.toExtend<Props<typeof Configuration>["profileType"]>();
    expectTypeOf<"descripton">().not.toExtend<keyof Props<typeof TestCase>>();
    expectTypeOf<["nmae"]>().not.toExtend<Props<typeof TestCase>["ignore"]>();
    expectTypeOf<Tag>().not.toExtend<Props<typeof Configuration>["scenario"]>();
    expectTypeOf<Scenario>().toExtend<Props<typeof Configuration>["scenario"]>();
  });

  test("take secrets from env() and file() only", () => {
    expectTypeOf<string>().not.toExtend<Props<typeof VcsRoot>["password"]>();
    expectTypeOf(env("TOKEN")).toExtend<Props<typeof VcsRoot>["password"]>();
    expectTypeOf(variable("secs")).toExtend<Props<typeof Configuration>["durationSecs"]>();
  });
});

test("a provider takes nothing but an expression for a secret within a map", () => {
  type Metadata = NonNullable<ProviderProps["metadata"]>;
  expectTypeOf<{ zone: string; cloudAccessKeyId: Expression }>().toExtend<Metadata>();
  expectTypeOf<{ cloudAccessKeyId: string }>().not.toExtend<Metadata>();
});
