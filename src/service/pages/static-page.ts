import { createHash } from "node:crypto";
import { RawReply } from "../core/handlers.ts";
import type { Router } from "../core/router.ts";
import { defaultKey, type Settings } from "../settings.ts";
import { consolePage } from "./console-page.ts";
import { docsPage } from "./docs-page.ts";

/** A page that anyone may open: nothing of what the service holds is in it, and of its key only that it is the default one. */
export function staticPage(
  name: "console" | "docs",
  { router, settings, apiKey }: { readonly router: Router; readonly settings: Settings; readonly apiKey: string },
): RawReply {
  const { authHeader } = settings;
  const key = apiKey === defaultKey ? { key: defaultKey } : {};
  const page =
    name === "docs"
      ? docsPage(router.mounted, { authHeader, isLive: settings.engine === "live", ...key })
      : consolePage(authHeader);
  return new RawReply(page, "text/html; charset=utf-8", { "content-security-policy": policyOf(page) });
}

/** Only the page's own script runs, known by its digest; it asks this service only, and is shown in no frame. */
function policyOf(page: string): string {
  const [, script = ""] = /<script type="module">([\s\S]*?)<\/script>/.exec(page) ?? [];
  const digest = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    "connect-src 'self'",
    `script-src 'sha256-${digest}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
