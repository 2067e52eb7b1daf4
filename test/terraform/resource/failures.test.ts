import { describe, expect, it } from "vitest";
import { type Kept, Refused, SessionCore } from "../../support/terraform/session-core.ts";
import { configurationOf, idOf, makeShop } from "../../support/terraform/shop.ts";

async function scenariosOf(core: SessionCore, testCase: string): Promise<readonly number[]> {
  const found = await core.outside.call("GET /test-cases/:testCaseId", { params: { testCaseId: Number(testCase) } });
  return (found.scenarios ?? []).map((each) => each.id);
}

describe("a create without a good answer", () => {
  const post = { method: "POST", path: "/test-cases/:testCaseId/scripts" };

  it("is looked for, and found where it happened", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    await core.setFaults([{ ...post, drop: "after", times: 1 }]);
    const made = await core.create("loadform_scenario", { test_case_id: idOf(testCase), name: "s", script: "run()" });
    expect(await scenariosOf(core, idOf(testCase))).toEqual([Number(idOf(made))]);
    expect((await core.refresh(made))?.value).toEqual(made.value);
  });

  it("is found where it takes effect late, and sent again where it surely did not", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    await core.setFaults([{ ...post, drop: "after", effectDelayMs: 20_000, times: 1 }]);
    const config = { test_case_id: idOf(testCase), name: "s", script: "run()" };
    const late = await core.create("loadform_scenario", config);
    await core.setFaults([{ ...post, drop: "before", times: 1 }]);
    const again = await core.create("loadform_scenario", { ...config, name: "t" });
    expect(await scenariosOf(core, idOf(testCase))).toEqual([Number(idOf(late)), Number(idOf(again))]);
  });

  it("is not believed when the answer has no id, or that of another object", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const config = { test_case_id: idOf(testCase), name: "s", script: "run()" };
    await core.setFaults([{ ...post, status: 200, body: { name: "s" }, times: 1 }]);
    const first = await core.create("loadform_scenario", config);
    const wrong = {
      id: Number(idOf(scenario)),
      name: "t",
      createdAt: scenario.value["created_at"],
      updatedAt: scenario.value["created_at"],
    };
    await core.setFaults([{ ...post, status: 200, body: wrong as never, times: 1 }]);
    const second = await core.create("loadform_scenario", { ...config, name: "t" });
    expect(await scenariosOf(core, idOf(testCase))).toEqual(
      [scenario, first, second].map((each) => Number(idOf(each))),
    );
  });

  it.each([0, 1, 4])("is sent again %i times where max_retries says so, and no more", async (retries) => {
    const core = await SessionCore.open({ provider: { max_retries: retries } });
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    const sent = (path: string) => core.service.requests.filter((each) => each.method === "POST" && each.path === path);
    await core.setFaults([{ ...post, status: 500 }]);
    const config = { test_case_id: idOf(testCase), name: "s", script: "run()" };
    const times = retries === 0 ? "once" : `${retries + 1} times`;
    await expect(core.create("loadform_scenario", config)).rejects.toThrow(
      `It was sent ${times}, looked for each time`,
    );
    expect(sent(`/test-cases/${idOf(testCase)}/scripts`)).toHaveLength(retries + 1);
    await core.setFaults([{ method: "POST", path: "/test-cases", status: 500 }]);
    await expect(core.create("loadform_test_case", { name: "Other" })).rejects.toThrow("status 500");
    expect(sent("/test-cases")).toHaveLength(1 + retries + 1);
  });

  it("is told at once, and warned of when it was made after all", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    await core.setFaults([{ ...post, status: 500, times: 1 }]);
    await core.create("loadform_scenario", { test_case_id: idOf(testCase), name: "s", script: "run()" });
    expect(core.told).toEqual([
      'loadform_scenario "s": the answer to its create was unclear (status 500); it is looked for, which takes up to 47 s',
    ]);
    await core.setFaults([{ ...post, drop: "after", times: 1 }]);
    await core.create("loadform_scenario", { test_case_id: idOf(testCase), name: "t", script: "run()" });
    expect(core.warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("(status 500). The object was looked for each time, and was made by a later one."),
      expect.stringContaining("(none). The object was looked for each time, and was found as id 2."),
    ]);
  });

  it("ends its wait when Terraform is interrupted", async () => {
    let stop = (): void => undefined;
    const core = await SessionCore.open({ onSleep: (ms) => ms > 40_000 && stop() });
    stop = () => core.session.stop();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    await core.setFaults([{ ...post, drop: "before" }]);
    const failing = core.create("loadform_scenario", { test_case_id: idOf(testCase), name: "s", script: "run()" });
    await expect(failing).rejects.toThrow(Refused);
    expect(await scenariosOf(core, idOf(testCase))).toEqual([]);
  });
});

describe("a refused write", () => {
  it("says what the service says of a field at its attribute", async () => {
    const core = await SessionCore.open();
    const { testCase } = await makeShop(core);
    const errors = [
      { field: "main", message: "found none; expected the script's text" },
      { field: "paramsConfig[0].name", message: "found none; expected a name" },
    ];
    const path = "/test-cases/:testCaseId/scripts";
    const message = `main: ${errors[0]?.message} (and 1 more)`;
    await core.setFaults([{ method: "POST", path, status: 400, body: { code: "INVALID", message, errors } }]);
    const config = { test_case_id: idOf(testCase), name: "s", script: "run()" };
    const refused = await core.create("loadform_scenario", config).catch((thrown: unknown) => thrown as Refused);
    expect((refused as Refused).diagnostics).toEqual([
      {
        severity: "error",
        summary: "the service refused script (status 400)",
        detail: "It says: found none; expected the script's text",
        path: ["script"],
      },
      {
        severity: "error",
        summary: "the service refused params_config (status 400)",
        detail: "It says of paramsConfig[0].name: found none; expected a name",
        path: ["params_config"],
      },
    ]);
  });

  it("of a name that is taken names the way out", async () => {
    const core = await SessionCore.open();
    await core.create("loadform_test_case", { name: "A" });
    const other = await core.create("loadform_test_case", { name: "B" });
    await core.walk();
    const refused = await core.update(other, { name: "A" }).catch((thrown: unknown) => thrown as Refused);
    expect((refused as Refused).diagnostics).toMatchObject([
      {
        path: ["name"],
        summary: "the name of loadform_test_case is taken",
        detail: expect.stringContaining("third name"),
      },
    ]);
    expect((refused as Refused).left?.value["name"]).toBe("B");
  });
});

describe("names that are passed around in one apply", () => {
  const named = async (core: SessionCore) =>
    (await core.outside.call("GET /test-cases")).map(({ id, name }) => `${id} ${name}`).sort();

  it.each([
    [
      ["A", "B"],
      ["B", "A"],
    ],
    [
      ["A", "B", "C"],
      ["B", "C", "A"],
    ],
    [
      ["A", "B", "C", "D"],
      ["B", "A", "D", "C"],
    ],
  ])("%j become %j", async (before, after) => {
    const core = await SessionCore.open();
    const made = [];
    for (const name of before) made.push(await core.create("loadform_test_case", { name, description: name }));
    await core.walk();
    const plans = await Promise.all(
      made.map((each, index) =>
        core.plan("loadform_test_case", { name: after[index] ?? "", description: "new" }, each),
      ),
    );
    const changed = await Promise.all(plans.map((plan) => core.apply(plan)));
    expect(changed.map(({ value }) => value["name"])).toEqual(after);
    expect(await named(core)).toEqual(after.map((name, index) => `${index + 1} ${name}`));
    await core.walk();
    for (const each of changed) expect((await core.refresh(each))?.value).toEqual(each.value);
  });

  it("are as they were where one of them is somebody else's", async () => {
    const core = await SessionCore.open();
    const first = await core.create("loadform_test_case", { name: "A" });
    const second = await core.create("loadform_test_case", { name: "B" });
    await core.outside.call("POST /test-cases", { body: { name: "C", org: 1 } });
    await core.walk();
    const plans = [await core.plan("loadform_test_case", { name: "B" }, first)];
    plans.push(await core.plan("loadform_test_case", { name: "C" }, second));
    const ends = await Promise.allSettled(plans.map((plan) => core.apply(plan)));
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await named(core)).toEqual(["1 A", "2 B", "3 C"]);
  });
});

describe("a failed write", () => {
  it("of an update leaves the state that the service has", async () => {
    const core = await SessionCore.open();
    const made = await core.create("loadform_test_case", { name: "Shop", description: "old" });
    await core.setFaults([{ method: "POST", path: "/test-cases", status: 400 }]);
    const failed = await core.update(made, { name: "Store", description: "new" }).catch((thrown: unknown) => thrown);
    const { left } = failed as Refused;
    expect(left?.value).toMatchObject({ id: made.value["id"], name: "Store", description: "old" });
    await core.setFaults([]);
    expect((await core.update(left!, { name: "Store", description: "new" })).value).toMatchObject({
      description: "new",
    });
  });

  it("that pauses a new schedule leaves the schedule in the state", async () => {
    const core = await SessionCore.open();
    const { configuration } = await makeShop(core);
    await core.setFaults([{ method: "PUT", path: "/test-schedules/:scheduleId", status: 400 }]);
    const config = {
      configuration_id: idOf(configuration),
      schedule_type: "Recurring",
      recurring_interval: "Day",
      active: false,
    };
    const failed = await core.create("loadform_schedule", config).catch((thrown: unknown) => thrown);
    expect((failed as Refused).left?.value).toMatchObject({ id: "1", active: true });
  });

  it("of a delete that is in use names create_before_destroy and keeps the state", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    const failed = await core.destroy(scenario).catch((thrown: unknown) => thrown);
    expect((failed as Refused).message).toContain("create_before_destroy = true");
    expect((failed as Refused).left?.value).toEqual(scenario.value);
  });

  it("of a delete that is in use is sent again once a write beside it has ended", async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    let changed: Promise<unknown> | undefined;
    const core = await SessionCore.open({
      onSleep: () => {
        changed ??= meanwhile?.();
      },
    });
    const { scenario, configuration, testCase } = await makeShop(core);
    const other = await core.create("loadform_scenario", { test_case_id: idOf(testCase), name: "o", script: "run()" });
    const config = configurationOf(testCase, other);
    const plan = await core.plan("loadform_configuration", config, configuration);
    meanwhile = () => core.apply(plan);
    await core.destroy(scenario);
    await changed;
    expect(core.service.requests.filter(({ method }) => method === "DELETE").map(({ status }) => status)).toEqual([
      409, 200,
    ]);
    expect(await scenariosOf(core, idOf(testCase))).toEqual([Number(idOf(other))]);
  });

  it("takes an object that is gone for deleted", async () => {
    const core = await SessionCore.open();
    const { configuration, testCase } = await makeShop(core);
    await core.outside.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: Number(idOf(testCase)) } });
    await core.destroy(configuration);
    await core.destroy(testCase);
  });
});

describe("a service with other habits", () => {
  it.each([
    { put: "replace" },
    { nested: "summary" },
    { touch: "parent" },
    { cascade: "refuse" },
    { contents: "duplicate" },
    { names: "unique" },
    { upsert: "clear" },
  ] as const)("%o leads to the same states", async (settings) => {
    const core = await SessionCore.open({ settings });
    const { testCase, scenario, configuration } = await makeShop(core);
    const schedule = await core.create("loadform_schedule", {
      configuration_id: idOf(configuration),
      schedule_type: "Recurring",
      recurring_interval: "Day",
    });
    const store = await core.create("loadform_data_store", {
      scenario_id: idOf(scenario),
      name: "a.csv",
      contents: "a\n1\n",
    });
    const changed = await core.update(configuration, configurationOf(testCase, scenario, { duration_secs: 90 }));
    await core.walk();
    const kept: Kept[] = [];
    for (const each of [schedule, store, changed, scenario, testCase]) {
      const now = (await core.refresh(each)) ?? expect.unreachable();
      const { updated_at: _, ...value } = now.value;
      // One that the service dropped with the change of its configuration was made again.
      const isAnew = each === schedule && "put" in settings;
      expect({ ...each.value, ...(isAnew && { id: value["id"], created_at: value["created_at"] }) }).toMatchObject(
        value,
      );
      kept.push(now);
    }
    for (const each of kept) await core.destroy(each);
    expect(await core.outside.call("GET /test-cases")).toEqual([]);
  });
});
