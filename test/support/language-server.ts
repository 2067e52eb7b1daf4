import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly diagnostics?: readonly EditorDiagnostic[] };
  readonly result?: unknown;
}

/** A problem as an editor shows it. */
interface EditorDiagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** The real yaml-language-server over stdio, as an editor starts it. */
export interface LanguageServer {
  diagnose(uri: string, text: string): Promise<readonly EditorDiagnostic[]>;
  /** Labels offered at the `|` of the text. */
  complete(uri: string, text: string): Promise<readonly string[]>;
  /** The words shown over the `|` of the text. */
  hover(uri: string, text: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startLanguageServer(): Promise<LanguageServer> {
  const main = createRequire(import.meta.url).resolve("yaml-language-server/package.json");
  const child = spawn(process.execPath, [join(dirname(main), "bin/yaml-language-server"), "--stdio"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const answers = new Map<number, (result: unknown) => void>();
  const published = new Map<string, (diagnostics: readonly EditorDiagnostic[]) => void>();
  let [buffer, next] = [Buffer.alloc(0), 0];
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      answers.set(++next, resolve);
      send({ id: next, method, params });
    });
  const receive = (message: Message) => {
    if (message.method === "textDocument/publishDiagnostics")
      published.get(message.params?.uri ?? "")?.(message.params?.diagnostics ?? []);
    else if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null });
    else if (message.id !== undefined) answers.get(message.id)?.(message.result);
  };
  child.stdout.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, Math.max(head, 0)).toString())?.[1]);
      if (head < 0 || buffer.length < head + 4 + length) return;
      const body = buffer.subarray(head + 4, head + 4 + length).toString();
      buffer = buffer.subarray(head + 4 + length);
      receive(JSON.parse(body) as Message);
    }
  });
  await request("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  send({ method: "initialized", params: {} });
  const settings = { yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } } };
  send({ method: "workspace/didChangeConfiguration", params: { settings } });
  const open = (uri: string, text: string) =>
    send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri, languageId: "yaml", version: 1, text } },
    });
  const at = (uri: string, marked: string) => {
    const before = marked.slice(0, marked.indexOf("|")).split("\n");
    open(uri, marked.replace("|", ""));
    return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
  };
  return {
    diagnose: (uri, text) =>
      new Promise((resolve) => {
        published.set(uri, resolve);
        open(uri, text);
      }),
    async complete(uri, text) {
      const result = await request("textDocument/completion", at(uri, text));
      const items = (result as { items?: { label: string }[] } | null)?.items ?? [];
      return items.map(({ label }) => label);
    },
    async hover(uri, text) {
      const result = await request("textDocument/hover", at(uri, text));
      return JSON.stringify((result as { contents?: unknown } | null)?.contents ?? "");
    },
    async stop() {
      await request("shutdown", {});
      send({ method: "exit" });
      child.kill();
    },
  };
}
