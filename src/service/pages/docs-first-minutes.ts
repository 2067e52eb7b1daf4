import { asHtml } from "../../pictures/escape-html.ts";
import { type CurlOptions, shellWord, unknownKey } from "./docs-example.ts";

/** The first four steps, with commands that work when they are pasted. */
export function firstMinutes(options: CurlOptions): string {
  const { base, authHeader, key, isLive = false } = options;
  const header = `-H "${authHeader}: ${key ?? unknownKey}"`;
  const consoleAt = key === undefined ? "console" : `console?key=${encodeURIComponent(key)}`;
  const form = { testcase_name: "Checkout", virtual_users: "20", duration_mins: "1", iteration_sleep_secs: "1" };
  const parts = Object.entries(form).map(([name, value]) => `-F ${shellWord(`${name}=${value}`)}`);
  const model = isLive ? ['-H "X-Loadform-Engine: model"'] : [];
  const code = `-F "code=http.get('http://shop.test/');filename=browse.js"`;
  const steps: readonly Step[] = [
    {
      title: "Start a test",
      text: `Twenty users for a minute: the test case, its scenario of one line, its configuration and the run in one call. It prints the id of the run, 1 for the first. How <code>shop.test</code> answers is simulated: no request is sent.${isLive ? " Without the header <code>X-Loadform-Engine</code> this service makes real load." : " <code>loadform serve --live</code> makes real load."}`,
      command: [`curl -w "\\n" ${header} ${base}/start`, ...model, code, ...parts].join(" \\\n  "),
    },
    {
      title: "Watch it",
      text: `<a class="go" href="${asHtml(consoleAt)}#runs/1">Open run 1 in the console</a>, or <a class="go" href="${asHtml(consoleAt)}#runs">all runs</a>. Its charts begin after ten seconds and grow while it runs.`,
    },
    {
      title: "Take the result with you",
      text: "The run is over after a minute. The console has a button <b>Result as PDF</b>; this is the same, for run 1:",
      command: `curl ${header} -o results.pdf ${base}/executions/1/results.pdf`,
    },
    {
      title: "Pass it on",
      text: "The button <b>Share link</b> makes a page of that run, readable without a key. This makes one of the latest result, at <code>/p/</code> and the <code>name</code> that it prints.",
      command: `curl -w "\\n" -X POST ${header} ${base}/test-confs/1/share`,
    },
  ];
  return `<section id="first" class="first"><h2>First two minutes</h2>
${key === undefined ? keyField : `<p>The key of this service is <code>${asHtml(key)}</code>.</p>`}
<ol>${steps.map(stepItem).join("\n")}</ol>
<p class="next">Then: <a class="go" href="${asHtml(consoleAt)}#clock">freeze the clock</a> and let an hour pass in an instant, <a class="go" href="${asHtml(consoleAt)}#faults">plan a fault</a> and see how your program takes it, <a class="go" href="${asHtml(consoleAt)}#requests">read the log of requests</a> with each field that nothing read.</p>
</section>`;
}

interface Step {
  readonly title: string;
  readonly text: string;
  readonly command?: string;
}

/** The key goes into the commands of the page and nowhere else. */
const keyField = `<p class="key"><label for="key">Key of this service</label>
<input id="key" type="password" autocomplete="off" aria-describedby="key-hint">
<small id="key-hint">It was given with --api-key. Typed here it is put into the commands below, and does not leave this page.</small></p>`;

function stepItem({ title, text, command }: Step): string {
  const code =
    command === undefined ? "" : `<pre aria-label="${asHtml(title)}: command"><code>${asHtml(command)}</code></pre>`;
  return `<li><h3>${asHtml(title)}</h3><p>${text}</p>${code}</li>`;
}
