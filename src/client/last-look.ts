import type { Socket } from "node:net";
import { heldBack } from "./transport.ts";

/**
 * Whether the request that undici is about to write may leave. It starts a request and writes it without a pause, so the
 * next bytes on any socket are that request's.
 */
let mayNextLeave: (() => boolean) | undefined;

/** Has the next bytes asked for; without a question they are not. */
export function expectLook(mayLeave: (() => boolean) | undefined): void {
  mayNextLeave = mayLeave;
}

/**
 * Asks when bytes are handed to the system. Between the start of a request and that moment its head is put together, which
 * takes milliseconds the first time: a process that is stopped there would send it when it goes on.
 */
export function watchSocket(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
  const uncork = socket.uncork.bind(socket);
  return Object.assign(socket, {
    write(...args: readonly unknown[]): boolean {
      if (socket.writableCorked === 0) look();
      return write(...args);
    },
    uncork(): void {
      look();
      uncork();
    },
  });
}

function look(): void {
  const mayLeave = mayNextLeave;
  mayNextLeave = undefined;
  if (mayLeave?.() === false) throw heldBack();
}
