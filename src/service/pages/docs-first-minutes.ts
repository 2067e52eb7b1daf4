import { asHtml } from "../reports/escape-html.ts";
import type { CurlOptions } from "./docs-example.ts";

/** What one does first: four steps with commands that work as they stand. */
export function firstMinutes({ base, authHeader }: CurlOptions): string {
  const header = `-H "${authHeader}: local"`;
  const main = "const http = require('http'); http.get('http://shop.test/')";
  const form = [`-F testcase_name=Checkout`, `-F "code=@browse.js"`, "-F virtual_users=10", "-F duration_mins=1"].join(
    " ",
  );
  const steps = [
    ["Start the service", "It listens at port 8080 and keeps everything in memory.", "npx loadform serve"],
    [
      "Start a test",
      "A scenario of one line, and one call that makes the test case, its configuration and the run. It answers the id of the run.",
      `echo "${main}" > browse.js\ncurl ${header} ${form} ${base}/start`,
    ],
    [
      "Watch it",
      `Open the <a href="console">console</a>, give it the key <code>local</code> and look under Runs: its charts grow every ten seconds.`,
      "",
    ],
    [
      "Take the result with you",
      "As a PDF with figures and charts.",
      `curl ${header} -o results.pdf ${base}/executions/1/results.pdf`,
    ],
  ] as const;
  const items = steps.map(([title, text, command]) => {
    const code =
      command === ""
        ? ""
        : `<pre tabindex="0" aria-label="${asHtml(title)}: command"><code>${asHtml(command)}</code></pre>`;
    return `<li><h3>${asHtml(title)}</h3><p>${text}</p>${code}</li>`;
  });
  return `<section id="first" class="first"><h2>First five minutes</h2><ol>${items.join("\n")}</ol></section>`;
}
