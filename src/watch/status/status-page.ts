import { createHash } from "node:crypto";
import bar from "../../pictures/page-bar.css?raw" with { type: "text" };
import base from "../../pictures/page-base.css?raw" with { type: "text" };
import controls from "../../pictures/page-controls.css?raw" with { type: "text" };
import dom from "../../pictures/page-dom.js?raw" with { type: "text" };
import figures from "../../pictures/page-figures.css?raw" with { type: "text" };
import { pageScript } from "../../pictures/page-frame.ts";
import texts from "../../pictures/page-texts.js?raw" with { type: "text" };
import ask from "./page/ask.js?raw" with { type: "text" };
import main from "./page/main.js?raw" with { type: "text" };
import page from "./page/page.html?raw" with { type: "text" };
import projectPart from "./page/project-part.js?raw" with { type: "text" };
import projectRow from "./page/project-row.js?raw" with { type: "text" };
import rules from "./page/status.css?raw" with { type: "text" };

/** A page with what its browser may do. */
export interface StatusPage {
  readonly html: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

let made: StatusPage | undefined;

/** The status page: the same for everybody and without data, which its script asks for with the token that it was given. */
export function statusPage(): StatusPage {
  made ??= makePage();
  return made;
}

function makePage(): StatusPage {
  const script = `\n${pageScript([dom, texts, ask, projectPart, projectRow, main])}\n`;
  const html = page
    .replace("/* style */", () => base + bar + figures + controls + rules)
    .replace("\n/* script */\n", () => script);
  return { html, policy: policyOf(script) };
}

/** Only the page's own script runs, known by its digest; it asks this server only, and is shown in no frame. */
function policyOf(script: string): string {
  return [
    "default-src 'none'",
    "connect-src 'self'",
    `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
