import type { ownRoutes } from "../../api/own.ts";
import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import { isJsonObject } from "../core/check-body.ts";
import { RawReply } from "../core/handlers.ts";
import { Refusal } from "../core/refusal.ts";
import { readFaults } from "../faults/fault.ts";
import type { Instance } from "../instance.ts";
import { advance } from "../run-clock.ts";

/** A request to one of the service's own routes. */
export interface OwnCall {
  readonly instance: Instance;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body: JsonValue | undefined;
}

type OwnReply = JsonValue | RawReply | undefined;

/** Contract, section 6: the service's own routes. */
export const ownHandlers: { readonly [K in keyof typeof ownRoutes]: (call: OwnCall) => OwnReply | Promise<OwnReply> } =
  {
    "GET /_loadform/health": () => ({ status: "ok", version: "1" }),
    "GET /_loadform/openapi.json": async ({ instance }) => {
      const { makeOpenApi } = await import("../openapi/make-openapi.ts");
      return makeOpenApi(instance.shared.router.mounted, instance.settings);
    },
    "GET /_loadform/docs": async ({ instance }) => {
      const { docsPage } = await import("../openapi/docs-page.ts");
      return new RawReply(docsPage(instance.shared.router.mounted), "text/html; charset=utf-8");
    },
    "GET /_loadform/state": ({ instance }) => new RawReply(instance.snapshotText(), "application/json; charset=utf-8"),
    "PUT /_loadform/state": async ({ instance, body }) => {
      await instance.restore(body);
      return undefined;
    },
    "POST /_loadform/reset": async ({ instance }) => {
      await instance.reset();
      return undefined;
    },
    "GET /_loadform/clock": ({ instance }) => viewClock(instance),
    "PUT /_loadform/clock": ({ instance, body }) => {
      const { mode, now } = isJsonObject(body) ? body : {};
      instance.clock.set(
        mode === "frozen" ? "frozen" : "real",
        now === undefined || now === null ? undefined : momentOf(now),
      );
      instance.due.forget();
      return viewClock(instance);
    },
    "POST /_loadform/clock/advance": async ({ instance, body }) => {
      const ms = isJsonObject(body) ? Number(body["ms"]) : Number.NaN;
      if (!(ms >= 0)) throw new Refusal(400, `ms: found ${ms}; expected a whole number, at least 0`);
      await advance(instance, ms);
      return viewClock(instance);
    },
    "GET /_loadform/faults": ({ instance }) => viewFaults(instance),
    "PUT /_loadform/faults": ({ instance, body }) => {
      instance.faults.set(readFaults(body, instance.shared.router));
      return viewFaults(instance);
    },
    "DELETE /_loadform/faults": ({ instance }) => {
      const former = viewFaults(instance);
      instance.faults.set([]);
      instance.stale.clear();
      return former;
    },
    "GET /_loadform/requests": ({ instance, query }) => {
      const { method, path } = query;
      const entries = instance.log.select(textOf(method), textOf(path));
      return entries.map((entry) => ({ ...entry, unknownFields: [...entry.unknownFields] })) as unknown as JsonValue;
    },
    "DELETE /_loadform/requests": ({ instance }) => {
      instance.log.clear();
      return undefined;
    },
  };

function viewClock({ clock }: Instance): JsonValue {
  return { mode: clock.mode, now: clock.iso() };
}

function viewFaults({ faults }: Instance): JsonValue {
  return faults.list().map((each) => ({ ...each })) as unknown as JsonValue;
}

function textOf(value: string | number | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
