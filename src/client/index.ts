export type { Auth, ClientClock, ClientOptions, RequestEvent } from "./client-options.ts";
export type { Client, ClientStats } from "./create-client.ts";
export { createClient } from "./create-client.ts";
export type { Transport, TransportAnswer, TransportRequest } from "./transport.ts";
export { TransportError } from "./transport.ts";
export type { UploadFile } from "./upload-form.ts";
export { uploadForm } from "./upload-form.ts";
