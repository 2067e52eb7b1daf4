import { type RouteTable, stored } from "./descriptors.ts";

/** API 1, Data store and Data row. */
export const dataStoreShapes = {
  dataStore: {
    ...stored,
    name: "string",
    type: "string",
    charset: "string",
    size: "int",
    numRows: "int",
    url: "string",
    thumbnailUrl: "string",
    deleteUrl: "string",
    deleteType: "string",
    headers: "string",
    rows: "@dataRow[]",
    script: "@scenario",
  },
  dataStoreFiles: { files: "@dataStore[]" },
  dataRow: { ...stored, rowIndex: "int", rowData: "string", dataStore: "@dataStore" },
} as const;

/** API 1, Data stores. */
export const dataStoreRoutes = {
  "GET /scripts/:id/data-stores": {
    section: "1 Data stores",
    query: { down: "boolean=true", up: "boolean=false", includeRows: "boolean=false" },
    answer: "@dataStoreFiles",
    aliases: ["/script/:id/data-stores"],
  },
  "GET /data-stores/:id": {
    section: "1 Data stores",
    query: { down: "boolean=true", up: "boolean=true", includeRows: "boolean=false" },
    answer: "@dataStore",
  },
  "GET /data-stores/:id/download": { section: "1 Data stores", answer: "binary", open: "sid" },
  "GET /data-stores/:id/thumbnail": {
    section: "1 Data stores",
    answer: "binary",
    open: "sid",
    decision: "A PNG of at most 80 by 80: of pictures their own, else a drawn sheet with the extension.",
  },
  "GET /data-stores/:id/rows/:index": { section: "1 Data stores", query: { up: "boolean=true" }, answer: "@dataRow" },
  "GET /data-stores/:id/rows/iterators/:iterator": {
    section: "1 Data stores",
    summary: "The next rows of a named iterator, each handed out once",
    effect: true,
    params: { iterator: "string" },
    query: { up: "boolean=true", wrap: "boolean=true", rows: "int=1" },
    answer: "@dataRow[]",
    decision: "410 once an iterator with wrap=false is at the end.",
  },
  "POST /scripts/:id/data-stores/contents": {
    section: "1 Data stores",
    body: { name: "string!", contents: "string!" },
    answer: "@dataStore",
    aliases: ["/script/:id/data-stores/contents"],
    decision: "A data store of that name in the scenario is updated.",
  },
  "POST /scripts/:id/data-stores": {
    section: "1 Data stores",
    summary: "Uploads files; one of the same name in the scenario is updated",
    multipart: true,
    answer: "@dataStoreFiles",
    aliases: ["/scripts/:script/data-stores", "/script/:id/data-stores"],
    decision: "Every file part counts, whatever its name; documented: file.",
  },
  "HEAD /data-stores/:id": { section: "1 Data stores", answer: "none" },
  "PUT /data-stores/:id/contents": {
    section: "1 Data stores",
    body: { name: "string", contents: "string" },
    answer: "@dataStore",
  },
  "PUT /data-stores/:id": { section: "1 Data stores", body: { name: "string" }, answer: "@dataStore" },
  "DELETE /data-stores/:id": { section: "1 Data stores", answer: "@dataStore", open: "sid" },
} as const satisfies RouteTable;
