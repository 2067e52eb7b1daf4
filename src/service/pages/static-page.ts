import { RawReply } from "../core/handlers.ts";
import type { Router } from "../core/router.ts";
import type { Settings } from "../settings.ts";
import { consolePage } from "./console-page.ts";
import { docsPage } from "./docs-page.ts";

/** A page that anyone may open: nothing of what the service holds is in it. */
export function staticPage(
  name: "console" | "docs",
  { router, settings }: { readonly router: Router; readonly settings: Settings },
): RawReply {
  const page = name === "docs" ? docsPage(router.mounted, settings) : consolePage(settings.authHeader);
  return new RawReply(page, "text/html; charset=utf-8");
}
