import { describe, expect, it } from "vitest";
import { codes } from "../../src/model/codes.ts";
import { exitCodes } from "../../src/report/exit-codes.ts";

const stages = [
  ["1", "Files of the project"],
  ["2", "The service"],
  ["3", "Planning"],
  ["4", "Guards"],
  ["5", "State and saved plans"],
  ["6", "Applying"],
  ["7", "Runs"],
  ["8", "Watching"],
  ["9", "The command line"],
] as const;

/** docs/messages.md: every code in its stage, as `loadform explain` prints it. */
function messagesPage(): string {
  const section = ([digit, title]: (typeof stages)[number]) => [
    `## ${title}`,
    "",
    ...Object.entries(codes)
      .filter(([code]) => code[2] === digit)
      .flatMap(([code, text]) => [`**${code}: ${text.title}.** ${text.text}`, ""]),
  ];
  return [
    "# Messages",
    "",
    "Every problem has a code. `loadform explain CODE` prints the same words. This page is made from the table of codes.",
    "",
    ...stages.flatMap(section),
    "## Exit codes",
    "",
    ...Object.entries(exitCodes).map(([code, text]) => `- **${code}**: ${text}`),
    "",
  ].join("\n");
}

describe("docs/messages.md", () => {
  it("says what the table of codes says", async () => {
    await expect(messagesPage()).toMatchFileSnapshot("../../docs/messages.md");
  });

  it("has a section for every code", () => {
    const page = messagesPage();
    for (const code of Object.keys(codes)) expect(page).toContain(`**${code}:`);
  });
});
