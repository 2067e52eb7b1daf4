import { expect, test } from "vitest";
import { kindsSchema } from "../../src/terraform/kinds-schema.ts";
import { loadformProvider } from "../../src/terraform/provider.ts";
import { startService } from "../support/served-project.ts";
import { wholeObject } from "../support/terraform/proposed-state.ts";
import { SessionCore } from "../support/terraform/session-core.ts";
import { idOf, makeShop } from "../support/terraform/shop.ts";

/** A core whose session shares nothing with those of others, as an installed provider's process for each provider block does. */
async function coreOfItsOwn(url: string): Promise<SessionCore> {
  const core = new SessionCore();
  core.session = await loadformProvider({ env: {} }).openSession();
  const block = { url, api_key: "local", organization: "1" };
  const config = wholeObject(kindsSchema().provider, block);
  expect(await core.session.configure(config, "1.11.4")).toEqual([]);
  return core;
}

test("schedules of one configuration that several processes write at the same moment are all there", async () => {
  const service = await startService();
  try {
    const [one, other] = [await coreOfItsOwn(service.ready.url), await coreOfItsOwn(service.ready.url)];
    const { configuration } = await makeShop(one);
    const slow = { method: "GET", path: "/test-confs/:confId", times: 99, delayMs: 30 };
    await service.call("PUT", "/_loadform/faults", [slow]);
    const daily = (hour: number) => ({
      configuration_id: idOf(configuration),
      ...{ schedule_type: "Recurring", recurring_interval: "Day", hour },
    });
    const hours = [1, 2, 3, 4, 5, 6];
    await Promise.all(hours.map((hour) => (hour % 2 === 0 ? one : other).create("loadform_schedule", daily(hour))));
    const { body } = await service.call("GET", `/test-confs/${idOf(configuration)}?down=true`);
    const { schedules } = body as { readonly schedules: readonly { readonly hour: number }[] };
    expect(schedules.map(({ hour }) => hour).sort()).toEqual(hours);
  } finally {
    await service.stop("SIGTERM");
  }
});
