import type { ScriptNetwork } from "../../../../src/service/scripts/script-run.ts";

/** A way out of a script's thread: the text of a function that answers what it got hold of, and what is expected instead. */
export interface Escape {
  readonly name: string;
  readonly text: string;
  /** Of `got …` or `refused …`. */
  readonly expected: RegExp;
  readonly network?: ScriptNetwork;
  readonly init?: string;
  /** How many connections are made that may be. */
  readonly reached?: number;
}

/** What every text finds: FILE, NEW, UNIX and PORT name what may not be reached; 0.0.0.0 is a host that is not allowed and would answer. */
export function preludeOf(places: Readonly<Record<string, string | number>>): string {
  const named = Object.entries(places).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  return `${named.join(" ")}
    const EventEmitter = require("events");
    const wait = (ms = 20) => new Promise((go) => setTimeout(go, ms));
    const agents = { http: http.globalAgent, https: https.globalAgent };
    const open = (agent, options) => { const socket = agent.createConnection(options); socket.on("error", () => 0); return socket; };
    const Socket = open(agents.http, { host: "127.0.0.1", port: 9 }).constructor;
    const reach = (socket) => new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.on("connect", () => resolve("a connection"));
      socket.on("response", () => resolve("an answer"));
    });
    const isReal = (it) => (typeof it === "object" || typeof it === "function") && it !== null && it !== process && typeof it.nextTick === "function";
    const isPort = (it) => typeof it === "object" && it !== null && typeof it.postMessage === "function";
    const read = (it) => it.getBuiltinModule("fs").readFileSync(FILE, "utf8");
    /** Calls what holds, and notes who it was called for. */
    const caught = (holder, names, isWanted) => {
      const found = [];
      for (const name of names) {
        const real = holder[name];
        holder[name] = function (...args) { for (const it of [this, ...args]) if (isWanted(it)) found.push(it); return new.target ? new real(...args) : applied(real, this, args); };
      }
      return found;
    };
    const applied = Reflect.apply;
    const symbolsOf = (of, part) => Object.getOwnPropertySymbols(of).filter((each) => String(each).includes(part));
  `;
}

/** What a text answers that found nothing. */
export const nothing = /^got nothing$/;
