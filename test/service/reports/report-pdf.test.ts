import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runReportPdf } from "../../../src/service/reports/report-pdf.ts";
import { makeRunReport } from "../../../src/service/reports/run-report.ts";
import { repository } from "../../support/source-files.ts";
import { hostile, reportOf, sampleRun } from "../support/run-fixture.ts";

describe("results.pdf (API 2, Executions)", () => {
  it("is a PDF with the figures as text and the charts as vectors", async () => {
    const pdf = await runReportPdf(reportOf(), { tz: "Europe/Berlin" });
    const { drawn, text } = contentsOf(pdf);
    expect(Buffer.from(pdf.subarray(0, 8)).toString()).toMatch(/^%PDF-1\.\d/);
    for (const wanted of ["Checkout", "29,480", "cloud-us-east-1", "2026-11-20 11:00:00 Europe/Berlin"])
      expect(text).toContain(wanted);
    expect(drawn.match(/ l$/gm)?.length).toBeGreaterThan(80);
    expect(drawn).not.toContain(" Do\n");
  });

  it("says beside the verdict what was simulated", async () => {
    const { execution, ...parts } = sampleRun();
    const { text } = contentsOf(await runReportPdf(makeRunReport(execution, { ...parts, engine: "model" })));
    expect(text).toMatch(/Passed\s*Simulated: no request was sent\./);
  });

  it("is the same bytes for the same report, in another process too", async () => {
    const report = reportOf();
    const first = Buffer.from(await runReportPdf(report));
    expect(Buffer.from(await runReportPdf(report)).equals(first)).toBe(true);
    const code = `
      import { createJiti } from "jiti";
      const { runReportPdf } = await createJiti(import.meta.url).import(${JSON.stringify(sourceOf("report-pdf.ts"))});
      const pdf = await runReportPdf(${JSON.stringify(report)});
      process.stdout.write(Buffer.from(pdf).toString("base64"));`;
    const env = { ...process.env, TZ: "Asia/Tokyo" };
    const other = execFileSync(process.execPath, ["--input-type=module"], { input: code, env, cwd: repository });
    expect(Buffer.from(other.toString(), "base64").equals(first)).toBe(true);
  });

  it("takes any name: long, hostile, in letters that its fonts lack", async () => {
    const awkward = `${hostile} \u0000\n 注文 🚀 Größe – ${"very long ".repeat(60)}`;
    const shape = { testCase: awkward, configuration: awkward, regions: [awkward], resources: [awkward] };
    const { text } = contentsOf(await runReportPdf(reportOf(shape)));
    expect(text).toContain("<script>alert(1)</script>");
    expect(text).toContain("...");
  });

  it("goes on over as many pages as it takes, each with its number", async () => {
    const resources = Array.from({ length: 120 }, (_, index) => `GET http://shop.test/items/${index}`);
    const { text } = contentsOf(await runReportPdf(reportOf({ resources })));
    expect(text).toContain("5 of 5");
    expect(text).toContain("GET http://shop.test/items/119");
    expect(text.split("Resource").length).toBeGreaterThan(3);
  });
});

function sourceOf(name: string): string {
  return join(repository, "src/service/reports", name);
}

/** What the pages of a PDF draw, and the text among it. */
function contentsOf(pdf: Uint8Array): { readonly drawn: string; readonly text: string } {
  const whole = Buffer.from(pdf).toString("latin1");
  const streams = [...whole.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body = ""]) => {
    const bytes = Buffer.from(body, "latin1");
    return bytes[0] === 0x78 ? inflateSync(bytes).toString("latin1") : body;
  });
  const drawn = streams.join("\n");
  const text = [...drawn.matchAll(/\[((?:<[0-9a-f]*>|[-\d. ])+)\] TJ/g)]
    .map(([, shown = ""]) =>
      [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = ""]) => Buffer.from(hex, "hex").toString("latin1")).join(""),
    )
    .join("\n");
  return { drawn, text };
}
