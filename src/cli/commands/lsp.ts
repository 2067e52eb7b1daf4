import { Writable } from "node:stream";
import { serveEditor } from "../../project/lsp/serve-editor.ts";
import { type Command, projectFlags } from "../command.ts";
import { systemOf } from "../system-of.ts";

/** `loadform lsp`: a language server for editors over stdin and stdout; it ends when the editor says so, or is gone. */
export const lsp: Command = (input) => {
  const { terminal } = input;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      terminal.out(chunk.toString("utf8"));
      done();
    },
  });
  serveEditor({ input: process.stdin, output }, systemOf(input), projectFlags(input, undefined));
  return new Promise(() => undefined);
};
