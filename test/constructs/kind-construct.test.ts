import { describe, expect, test } from "vitest";
import { App } from "../../src/constructs/app.ts";
import { Configuration, Scenario, Schedule, TestCase } from "../../src/constructs/kinds.ts";
import type { JsonObject } from "../../src/model/json.ts";

const newApp = () => new App({ project: "shop", service: { url: "memory:" } });
const placed = { durationSecs: 60, concurrentClients: 5, providers: [{ provider: { id: 0 } }] };

describe("what an object is given", () => {
  test("counts as it was when the object was made, whatever the program does to it later", () => {
    const app = newApp();
    const checkout = new TestCase(app, "checkout");
    const scenario = new Scenario(checkout, "browse", { script: "a" });
    const [moment, regions] = [new Date(Date.UTC(2027, 0, 1)), ["eu"]];
    const props = { ...placed, scenario, providers: [{ provider: { id: 0 }, regions }] };
    for (const concurrentClients of [1, 10]) {
      props.concurrentClients = concurrentClients;
      regions.push(`r${concurrentClients}`);
      moment.setUTCDate(concurrentClients);
      const load = new Configuration(checkout, `u${concurrentClients}`, props);
      new Schedule(load, "once", { scheduleType: "Single", nextScheduled: moment });
    }
    const { configurations } = (app.toDocument().document["testCases"] as Record<string, JsonObject>)["checkout"] ?? {};
    const schedules = (day: string) => ({
      once: { scheduleType: "Single", nextScheduled: `2027-01-${day}T00:00:00.000Z` },
    });
    expect(configurations).toMatchObject({
      u1: { concurrentClients: 1, providers: [{ regions: ["eu", "r1"] }], schedules: schedules("01") },
      u10: { concurrentClients: 10, providers: [{ regions: ["eu", "r1", "r10"] }], schedules: schedules("10") },
    });
    // A change that would be lost is an error.
    expect(() => Object.assign(checkout.props, { name: "Late" })).toThrow(TypeError);
  });

  test("has the getters of a class, and members of a prototype", () => {
    class Base {
      get protect() {
        return true as const;
      }
    }
    class Named extends Base {
      readonly name = "Named";
      get description() {
        return `${this.name}, described`;
      }
    }
    // As compiled to functions.
    function Old(this: { name: string }) {
      this.name = "Old";
    }
    Old.prototype.label = () => "a method";
    const app = newApp();
    new TestCase(app, "c", Reflect.construct(Old, []));
    new TestCase(app, "a", new Named());
    new TestCase(app, "b", Object.assign(Object.create({ description: "inherited" }), { name: "B" }));
    expect(app.toDocument().document["testCases"]).toEqual({
      a: { name: "Named", description: "Named, described", protect: true },
      b: { name: "B", description: "inherited" },
      c: { name: "Old" },
    });
  });

  test("is not replaced by members of a class of the user's own", () => {
    class Shop extends TestCase {
      override readonly props = { name: "other" };
      override readonly key: string;
      constructor(app: App, key: string) {
        super(app, `shop-${key}`, { name: `Shop ${key}`, protect: true });
        this.key = key;
      }
    }
    const app = newApp();
    const shop = new Shop(app, "de");
    new Scenario(shop, "s", { script: "a" });
    expect(app.toDocument().document["testCases"]).toEqual({
      "shop-de": { name: "Shop de", protect: true, scenarios: { s: { script: "a" } } },
    });
  });

  test.each([undefined, null, 5, {}, 5n, Symbol("s")])("is refused with %s as the id", (id) => {
    expect(() => new TestCase(newApp(), id as unknown as string)).toThrow(/is not usable as the id of a testCase/);
  });
});
