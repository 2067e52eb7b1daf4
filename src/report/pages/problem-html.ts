import type { Diagnostic } from "../../model/diagnostic.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import { formatSeveral } from "../../pictures/figures.ts";
import { codeFrame, type DiagnosticStyle, placeText, problemCounts } from "../diagnostic-text.ts";
import { cleanText, plainPalette } from "../terminal-text.ts";

/** Problems of one severity that a page shows; more of them are a log. */
const most = 200;

/** More warnings than this are folded: what blocks a plan is above them. */
const mostOpen = 3;

/** All problems of a plan: errors and guards first, each with its place and line; nothing where there are none. */
export function problemsHtml(problems: readonly Diagnostic[], lineOf: DiagnosticStyle["lineOf"]): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.filter(({ severity }) => severity !== "error");
  const list = (found: readonly Diagnostic[]) => {
    const items = found.slice(0, most).map((each) => problemHtml(each, lineOf));
    const rest =
      found.length > most ? `<li class="soft">… and ${formatSeveral(found.length - most, "more problem")}</li>` : "";
    return `<ul class="problems">${items.join("\n")}${rest}</ul>`;
  };
  const open = errors.length === 0 ? "" : list(errors);
  if (warnings.length === 0) return open;
  const isOpen = errors.length === 0 && warnings.length <= mostOpen;
  return `${open}<details class="warnings"${isOpen ? " open" : ""}><summary>${problemCounts(warnings)}</summary>${list(warnings)}</details>`;
}

function problemHtml(problem: Diagnostic, lineOf: DiagnosticStyle["lineOf"]): string {
  const { severity, code, summary, detail } = problem;
  const place = placeText(problem);
  const frame = codeFrame(problem, { lineOf, palette: plainPalette, width: 100 });
  return `<li class="${severity}"><p><b class="${severity}">${severity}</b> <code>${asHtml(code)}</code> <strong>${asHtml(cleanText(summary))}</strong></p>${
    place === "" ? "" : `<p class="soft"><code>${asHtml(cleanText(place))}</code></p>`
  }${frame.length === 0 ? "" : `<pre class="frame" tabindex="0">${asHtml(frame.join("\n"))}</pre>`}<p class="detail">${asHtml(cleanText(detail))}</p></li>`;
}
