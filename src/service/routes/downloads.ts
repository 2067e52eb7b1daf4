import { downloadRoutes } from "../../api/downloads.ts";
import { type Handlers, RawReply, type Reply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { type Download, type DownloadName, downloads } from "../downloads/download-table.ts";
import type { DownloadQuery } from "../downloads/downloaded-run.ts";
import { findPart } from "../downloads/find-part.ts";
import { writeCsv } from "../downloads/write-csv.ts";

type DownloadRoute = Exclude<keyof typeof downloadRoutes, `${string}.zip`>;

/** API 2, Executions: the download routes; each is made from the table of downloads. */
export const downloadHandlers = Object.fromEntries(
  Object.keys(downloadRoutes)
    .filter((key) => !key.endsWith(".zip"))
    .map((key) => [key, handlerOf(key)]),
) as unknown as Handlers<DownloadRoute>;

interface DownloadCall {
  readonly params: { readonly execution: number; readonly regionId?: number; readonly resource?: number };
  readonly query: DownloadQuery;
  readonly scope: Scope;
}

function handlerOf(key: string): (call: DownloadCall) => Reply {
  const last = key.slice(key.lastIndexOf("/") + 1);
  const isCsv = last.endsWith(".csv");
  const { columns, rows }: Download = downloads[last.replace(".csv", "") as DownloadName];
  return ({ params, query, scope }) => {
    const all = rows(findPart(params, scope), query, scope);
    const page = pageOf(all, query);
    return isCsv ? new RawReply(writeCsv(columns(query), page), "text/csv; charset=utf-8") : page;
  };
}

/** `limit` -1 is all. */
function pageOf<T>(rows: readonly T[], { limit = -1, offset = 0 }: DownloadQuery): readonly T[] {
  return rows.slice(offset, limit < 0 ? undefined : offset + limit);
}
