import { describe, expect, test } from "vitest";
import { sampleOf } from "../support/deep.ts";
import { makerOf } from "../support/hostile/declare.ts";
import type { Body } from "../support/hostile/document.ts";
import { drawFrom } from "../support/hostile/draw.ts";
import { endRun } from "../support/hostile/end-run.ts";
import { rowsOf } from "../support/hostile/rows.ts";
import { beginRun, carryOut, type Running } from "../support/hostile/run.ts";
import { allSenseless } from "../support/hostile/senseless.ts";

/** A project with an object of every kind that can be created; `edit` changes each in place. */
function documentOf(edit: number): Body {
  return {
    tags: { nightly: {} },
    vcsRoots: {
      root: {
        url: `https://git.test/${edit}.git`,
        vcsAuthType: "Username",
        username: "ci",
        password: "${env:PASSWORD}",
      },
    },
    providers: {
      grid: { providerType: "Shared", metadata: { zone: `z${edit}` } },
      cloud: {
        providerType: "CloudOnDemand",
        metadata: { cloudAccessKeyId: "${env:ID}", cloudSecretAccessKey: "${env:KEY}" },
      },
    },
    regions: { dc: { name: "dc", description: `rack ${edit}`, provider: "grid" } },
    testCases: {
      shop: {
        name: `Shop ${edit}`,
        description: `about ${edit}`,
        scenarios: {
          browse: {
            script: `browse(${edit})`,
            tags: ["nightly"],
            dataStores: { "users.csv": { contents: `u\n${edit}\n` } },
          },
          other: { script: "other()" },
        },
        gateways: { gate: { name: `gate ${edit}`, url: "https://shop.test" } },
        configurations: {
          smoke: {
            scenario: "browse",
            concurrentClients: edit,
            durationSecs: 60,
            providers: [{ provider: "grid", regions: ["dc"] }],
            schedules: {
              daily: { scheduleType: "Recurring", recurringInterval: "Day", hour: edit },
              paused: { scheduleType: "Recurring", recurringInterval: "Hour", hour: 3, active: edit > 1 },
            },
          },
        },
      },
    },
  };
}

const creates = {
  "POST /test-cases": "^POST /test-cases$",
  "POST /test-cases/:id/scripts": "^POST /test-cases/\\d+/scripts$",
  "POST /scripts/:id/data-stores/contents": "^POST /scripts/\\d+/data-stores/contents$",
  "POST /test-cases/:id/confs": "^POST /test-cases/\\d+/confs$",
  "POST /test-cases/:id/gateways": "^POST /test-cases/\\d+/gateways$",
  "POST /orgs/:id/vcs-roots": "^POST /orgs/1/vcs-roots$",
  "POST /providers": "^POST /providers$",
  "POST /orgs/:id/regions": "^POST /orgs/1/regions$",
} as const;

/** Every route that changes an object; upserts are among the creates too. */
const updates = [
  "^PUT /test-cases/\\d+$",
  "^POST /test-cases$",
  "^PUT /scripts/\\d+$",
  "^PUT /data-stores/\\d+/contents$",
  "^PUT /test-confs/\\d+$",
  "^PUT /test-schedules/\\d+$",
  "^PATCH /gateways/\\d+$",
  "^PUT /vcs-roots/\\d+$",
  "^PUT /providers/\\d+$",
  "^POST /orgs/1/regions$",
];

const open = { allowDestroy: ["**"], forceThreshold: true };

interface Met {
  readonly which: (typeof allSenseless)[number];
  readonly routes: readonly string[];
  readonly times: number;
}

/** An apply that meets senseless answers; whatever it ends with, it is no defect, and the state stays readable. */
async function met(running: Running, { which, routes, times }: Met) {
  running.hostile.arm(routes.map((on) => ({ is: "senseless", at: 0, which, on, times })));
  const outcome = await carryOut(running, open, "apply");
  await running.hostile.disarm();
  expect(outcome?.diagnostics.filter(({ code }) => code === "LF9002")).toEqual([]);
  const stored = await running.process.rig.stored();
  for (const { id, createdAt } of Object.values(stored?.state.resources ?? {})) {
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(Date.parse(createdAt)).not.toBeNaN();
  }
}

const started = () => beginRun(documentOf(1), makerOf(drawFrom(1)));

describe("a senseless answer with status 200, after the effect", () => {
  for (const [index, [route, on]] of Object.entries(creates).entries())
    test.each(sampleOf(allSenseless, index))(
      `${route} answers %s: one clean apply ends it, nothing is there twice or unowned`,
      async (which) => {
        const running = started();
        await met(running, { which, routes: [on], times: 1 });
        expect(await endRun(running, "apply")).toEqual([]);
      },
    );

  test("two creates that are answered with one object are told apart before anything is made below them", async () => {
    const running = started();
    await met(running, { which: "another id", routes: ["^POST /test-cases/\\d+/scripts$"], times: 1 });
    const rows = rowsOf(running.hostile.service);
    const names = new Map([...rows].map(([handle, { row }]) => [handle, row["name"]]));
    const stores = [...rows].flatMap(([, { kind, row }]) =>
      kind === "dataStore" ? [names.get(`scenario#${String(row["scenarioId"])}`)] : [],
    );
    expect(stores.filter((name) => name !== "browse")).toEqual([]);
    const { resources } = (await running.process.rig.stored())!.state;
    const scenarios = Object.entries(resources).filter(([, { kind }]) => kind === "scenario");
    for (const [address, { id }] of scenarios)
      expect(address).toBe(`testCase.shop/scenario.${names.get(`scenario#${id}`)}`);
  });

  test.each(sampleOf(allSenseless, 1))(
    "every update answers %s, once or always: one clean apply ends it",
    async (which) => {
      for (const times of [1, 99]) {
        const running = started();
        expect(await carryOut(running, open, "apply")).toMatchObject({ status: "applied" });
        const stored = await running.process.rig.stored();
        running.ledger.keep(stored?.state.resources ?? {}, rowsOf(running.hostile.service));
        Object.assign(running.document, documentOf(2));
        await met(running, { which, routes: updates, times });
        expect(await endRun(running, "apply")).toEqual([]);
      }
    },
  );
});
