import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import type { RunFileRecord } from "../../../src/service/store/records/executions.ts";
import type { Rig } from "../support/rig.ts";
import { fileOf, makeCompletedRun, putProbe, type Row } from "../support/run-rig.ts";

/** A picture of one colour, of which the first pixels may have another. */
function picture(width: number, height: number, other = 0): Uint8Array {
  const png = new PNG({ width, height });
  png.data.fill(200);
  png.data.fill(10, 0, other * 4);
  return PNG.sync.write(png);
}

/** Two completed runs of a configuration that compares images. */
async function comparing(mode: string, before: readonly RunFileRecord[], now: readonly RunFileRecord[]): Promise<Rig> {
  const rig = await makeCompletedRun({ files: before }, { conf: { imageDiffMode: mode } });
  await rig.ok("POST", "/test-confs/1/executions");
  await putProbe(rig, 2, { files: now });
  return rig;
}

async function differences(rig: Rig, id = 2): Promise<readonly Row[]> {
  return await rig.ok("GET", `/executions/${id}/output-files`);
}

describe("images", () => {
  const home = (id: number, bytes: Uint8Array | string) => [fileOf(id, "home.png", bytes)];

  it.each([
    ["the same picture", picture(4, 5), picture(4, 5), 0],
    [
      "the same pixels, packed otherwise",
      PNG.sync.write(PNG.sync.read(Buffer.from(picture(4, 5))), { deflateLevel: 0 }),
      picture(4, 5),
      0,
    ],
    ["three of twenty pixels", picture(4, 5), picture(4, 5, 3), 15],
    ["one of three pixels", picture(3, 1), picture(3, 1, 1), 33.333],
    ["every pixel", picture(4, 5), picture(4, 5, 20), 100],
    ["another size", picture(5, 4), picture(4, 5), 100],
    ["a picture before that is none", "no picture", picture(4, 5), null],
    ["a picture now that is cut off", picture(4, 5), picture(4, 5).slice(0, 40), null],
  ])("are compared with the previous execution: %s", async (_name, before, now, diffPercent) => {
    const rig = await comparing("PreviousExecution", home(1, before), home(2, now));
    expect(await differences(rig)).toMatchObject([{ diffPercent, expectDiff: true, diffDataStore: null }]);
  });

  it("that claim more pixels than anybody could hold are not decoded", async () => {
    const bomb = Buffer.from(picture(4, 5));
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const rig = await comparing("PreviousExecution", home(1, bomb), home(2, bomb));
    expect(await differences(rig)).toMatchObject([{ diffPercent: null, expectDiff: true }]);
  });

  it("of the first execution, or of another name, have nothing to be compared with", async () => {
    const rig = await comparing("PreviousExecution", [fileOf(1, "other.png", picture(4, 5))], home(2, picture(4, 5)));
    expect(await differences(rig, 1)).toMatchObject([{ diffPercent: null, expectDiff: true }]);
    expect(await differences(rig, 2)).toMatchObject([{ diffPercent: null, expectDiff: true }]);
  });

  it("are compared with the last execution that completed, not with one that runs", async () => {
    const rig = await comparing("PreviousExecution", home(1, picture(4, 5)), home(2, picture(4, 5, 20)));
    await rig.ok("POST", "/test-confs/1/executions");
    await putProbe(rig, 3, { files: home(3, picture(4, 5, 1)) });
    expect(await differences(rig, 3)).toMatchObject([{ diffPercent: 5 }]);
    await rig.service.advance(120_000);
    expect(await differences(rig, 3)).toMatchObject([{ diffPercent: 95 }]);
  });

  it("are compared with a data store of the scenario, which is named", async () => {
    const rig = await comparing(
      "ScenarioBaseline",
      [],
      [...home(2, picture(4, 5, 5)), fileOf(3, "new.png", picture(1, 1))],
    );
    const contents = Buffer.from(picture(4, 5)).toString("base64");
    const { id } = await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "home.png", contents });
    expect(await differences(rig)).toMatchObject([
      { diffPercent: 25, expectDiff: true, diffDataStore: { id, name: "home.png" } },
      { diffPercent: null, expectDiff: true, diffDataStore: null },
    ]);
  });

  it("are not compared without a mode, and other files never", async () => {
    const without = await comparing("None", home(1, picture(4, 5)), home(2, picture(4, 5)));
    expect(await differences(without)).toMatchObject([{ diffPercent: null, expectDiff: false }]);
    const text = [fileOf(1, "a.txt", "a")];
    const rig = await comparing("PreviousExecution", text, [...text, ...home(2, picture(4, 5))]);
    expect(await differences(rig)).toMatchObject([{ expectDiff: false, diffPercent: null }, { expectDiff: true }]);
  });
});
