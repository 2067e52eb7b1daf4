import type { dataStoreRoutes } from "../../api/data-stores.ts";
import { rowsOf } from "../core/csv-rows.ts";
import { type BuiltIn, fileHeaders, type Handlers, RawReply, WaitingReply } from "../core/handlers.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";
import { deleteObject, touchParents } from "../rules/cascade.ts";
import {
  addFile,
  changeFile,
  nextRows,
  putFile,
  readContents,
  readFileName,
  uploadedFiles,
} from "../rules/write-data-store.ts";
import { refuseReadonly } from "../rules/write-scenario.ts";
import { viewDataStore, viewRow } from "../views/scenario.ts";

const written = { down: true, up: true } as const;

/** API 1, Data stores. */
export const dataStoreHandlers: Handlers<BuiltIn<typeof dataStoreRoutes>> = {
  "GET /scripts/:id/data-stores": ({ params, query, scope }) => {
    const { id } = findObject(scope, "scenario", params.id);
    return { files: scope.store.where("dataStore", "scenarioId", id).map((row) => viewDataStore(row, query, scope)) };
  },
  "GET /data-stores/:id": ({ params, query, scope }) =>
    viewDataStore(findObject(scope, "dataStore", params.id), query, scope),
  "HEAD /data-stores/:id": ({ params, scope }) => void findObject(scope, "dataStore", params.id),
  "GET /data-stores/:id/download": ({ params, scope }) => {
    const row = findObject(scope, "dataStore", params.id);
    return new RawReply(
      Buffer.from(row.contents, "base64"),
      row.charset ? `${row.type}; charset=${row.charset}` : row.type,
      fileHeaders(row.name, "attachment"),
    );
  },
  "GET /data-stores/:id/thumbnail": ({ params, scope }) => {
    const { name, type, contents } = findObject(scope, "dataStore", params.id);
    return WaitingReply.of(
      async () => {
        const { makeThumbnail } = await import("../thumbnails/make-thumbnail.ts");
        return makeThumbnail({ name, type, bytes: Buffer.from(contents, "base64") });
      },
      ({ png, note }) => new RawReply(png, "image/png", note === undefined ? {} : { "x-loadform-thumbnail": note }),
    );
  },
  "GET /data-stores/:id/rows/:index": ({ params, query, scope }) => {
    const row = findObject(scope, "dataStore", params.id);
    const total = rowsOf(row).length;
    if (params.index < 1 || params.index > total)
      throw new Refusal(
        404,
        `found no row ${params.index}; expected ${total === 0 ? "a file with rows" : `1 to ${total}`}`,
      );
    return viewRow(row, params.index, { ...scope, up: query.up });
  },
  "GET /data-stores/:id/rows/iterators/:iterator": ({ params, query, scope }) => {
    const row = findObject(scope, "dataStore", params.id);
    const taken = nextRows(row, { name: params.iterator, rows: query.rows, wrap: query.wrap }, scope);
    return taken.map((index) => viewRow(row, index, { ...scope, up: query.up }));
  },
  "POST /scripts/:id/data-stores/contents": ({ params, body, scope }) => {
    const scenario = findObject(scope, "scenario", params.id);
    refuseReadonly(scenario);
    const file = { name: readFileName(body.name, scope), contents: readContents(body.contents, scope) };
    scope.findings.check();
    // DECISION (API 1, POST /scripts/:id/data-stores/contents): a taken name is updated, like the upload; setting `contents`.
    const put = scope.settings.contents === "duplicate" ? addFile : putFile;
    return viewDataStore(put(file, scenario.id, scope), written, scope);
  },
  "POST /scripts/:id/data-stores": ({ params, uploads, scope }) => {
    const scenario = findObject(scope, "scenario", params.id);
    refuseReadonly(scenario);
    const files = uploadedFiles(uploads, scope);
    scope.findings.check();
    return { files: files.map((file) => viewDataStore(putFile(file, scenario.id, scope), written, scope)) };
  },
  "PUT /data-stores/:id/contents": ({ params, body, scope }) => {
    const row = findObject(scope, "dataStore", params.id);
    const name = body.name === undefined ? {} : { name: readFileName(body.name, scope) };
    const contents = body.contents === undefined ? {} : { contents: readContents(body.contents, scope) };
    scope.findings.check();
    return viewDataStore(changeFile(row, { ...name, ...contents }, scope), written, scope);
  },
  "PUT /data-stores/:id": ({ params, body, scope }) => {
    const row = findObject(scope, "dataStore", params.id);
    const name = body.name === undefined ? row.name : readFileName(body.name, scope);
    scope.findings.check();
    return viewDataStore(changeFile(row, { name }, scope), written, scope);
  },
  "DELETE /data-stores/:id": ({ params, scope }) => {
    const row = findObject(scope, "dataStore", params.id);
    const view = viewDataStore(row, written, scope);
    deleteObject(scope, "dataStore", row.id);
    touchParents(scope, "dataStore", row);
    return view;
  },
};
