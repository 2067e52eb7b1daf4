import { type Mutant, mutantsOf } from "./mutant.ts";

const crash = (test: string): Mutant["by"] => ["service/store/data-crash.test.ts", test];
const malformed = (test: string): Mutant["by"] => ["service/core/malformed.test.ts", test];
const damaged = (test: string): Mutant["by"] => ["service/store/damaged-state.test.ts", test];
const key = (test: string): Mutant["by"] => ["service/requests/key-and-limits.test.ts", test];
const clock = (test: string): Mutant["by"] => ["service/requests/advance.test.ts", test];
const ownClock = (test: string): Mutant["by"] => ["service/executions/advance-run.test.ts", test];
const kpis = (test: string): Mutant["by"] => ["service/runs/kpis.test.ts", test];

/** What the bundled service keeps, and what it refuses. */
export const serviceMutants: readonly Mutant[] = [
  ...mutantsOf("DataFile", [
    [
      "reads the log of another snapshot",
      "if (follows !== this.#snapshot) return",
      "if (false) return",
      crash("was left by a kill within reset"),
    ],
    [
      "a refused write is seen",
      "each.kept.takeBack(each.changes);",
      "each.kept.snapshotText();",
      crash("is 507, and nothing of the refused writes is seen"),
    ],
    [
      "taken back in the order of the calls",
      "[...lost].reverse()",
      "[...lost]",
      crash("is 507, and nothing of the refused writes is seen"),
    ],
    [
      "what waited is written after what failed",
      "[...batch, ...this.#pending.splice(0)]",
      "[...batch]",
      crash("refuses with a write that failed all that came after it"),
    ],
    [
      "half a snapshot is left behind",
      "      rmSync(temporary, { force: true });\n",
      "",
      crash("keeps snapshot and log when they cannot be folded"),
    ],
    [
      "half a line is left in the log",
      "      this.#cutLog(this.#whole);\n      throw thrown;",
      "      throw thrown;",
      crash("refuses writes whole, takes them again with room"),
    ],
    [
      "a log that cannot be cut is trusted",
      "    } catch {\n      this.#snapshot = undefined;",
      "    } catch {\n      this.#whole = whole;",
      crash("is 507, and nothing of the refused writes is seen"),
    ],
  ]),
  ...mutantsOf("store/targetOf", [
    [
      "links are not followed",
      "?.isSymbolicLink()) return path;",
      "?.isSymbolicLink() || links === 0) return path;",
      crash("share its lock and its file when they are symbolic links"),
    ],
  ]),
  ...mutantsOf("resolvedFile", [
    [
      "hard links are taken",
      "found.nlink > 1",
      "found.nlink > 9",
      crash("are refused when they are further names of it"),
    ],
  ]),
  ...mutantsOf("Instance", [
    [
      "memory first",
      "else await onDisk(",
      "else load();\n    if (this.file) await onDisk(",
      crash("keeps snapshot and log when they cannot be folded"),
    ],
  ]),
  ...mutantsOf("checkBody", [
    [
      "handlers get a body that is no list",
      "if (input.whole) check.findings.check();",
      "",
      malformed("is 400 on every route and at every depth"),
    ],
  ]),
  ...mutantsOf("service/defect", [
    [
      "a stack trace for callers",
      '"a defect of the service; where it happened is on its stderr. Nothing was changed"',
      "report",
      key("is 500 without where it happened"),
    ],
  ]),
  ...mutantsOf("isDeeper", [
    ["any depth", "if (depth === levels) return true;", "", malformed("is 400 by its depth alone")],
  ]),
  ...mutantsOf("requireKey", [
    [
      "anybody is let in to the own routes",
      'route?.open !== "all" && !hasKey(incoming, route, by)',
      "route === undefined && !hasKey(incoming, route, by)",
      key("opens the own routes though its user was deleted"),
    ],
  ]),
  ...mutantsOf("readCall", [
    [
      "a state is limited like any body",
      "? stateLimits : ",
      "&& !isState ? stateLimits : ",
      key("is restored at any size"),
    ],
  ]),
  ...mutantsOf("takesQueryKey", [
    [
      "a page may write with a key in the query",
      "if (!isFromBrowser(incoming)) return true;",
      "return true;",
      ["service/http/foreign-requests.test.ts", "opens only reads without effect to a browser"],
    ],
  ]),
  ...mutantsOf("readUtf8", [
    ["other bytes are replaced", "{ fatal: true }", "{ fatal: false }", malformed("are 400 in a body, and 415")],
  ]),
  ...mutantsOf("service/readBody", [
    ["any charset", "  refuseCharset(type);\n", "", malformed("are 400 in a body, and 415")],
  ]),
  ...mutantsOf("readForm", [
    [
      "other bytes in the name of a file",
      "  refuseOtherHeads(bytes, type);\n",
      "",
      malformed("are 400 in a query and in the name of an uploaded file"),
    ],
  ]),
  ...mutantsOf("readPrepared", [
    ["other bytes in a query", "    refuseOtherBytes(incoming);\n", "", malformed("are 400 in a query")],
    [
      "the proxy is a route like any",
      "    refuseProxy(incoming);\n",
      "",
      key("says in process that a service has to listen"),
    ],
  ]),
  ...mutantsOf("inRange", [["any page", "value < minimum ?", "value > 1e9 ?", malformed("begins at 0 or later")]]),
  ...mutantsOf("nameProblem", [
    ["characters by their halves", "[...name].length", "name.length", malformed("count characters as people do")],
    [
      "control characters",
      "if (hidden !== undefined)",
      "if (hidden === null)",
      malformed("are 400 where they cannot be read"),
    ],
  ]),
  ...mutantsOf("namesakes", [
    [
      "looks at every test case",
      '? store.all("testCase") : store.where("testCase", "name", name)',
      '? store.all("testCase") : store.all("testCase")',
      clock("looks at no other test case but namesakes"),
    ],
  ]),
  ...mutantsOf("readRole", [
    ["any role", 'readName(value, scope, "userRole")', "value", malformed("of roles are 400 when empty")],
  ]),
  ...mutantsOf("checkState", [
    [
      "records of any shape",
      "refuseMisfit(listOf(recordShape(name as TableName))",
      "refuseMisfit(listOf(recordShape(name as TableName) && (() => undefined))",
      damaged("is refused as a whole, with the place"),
    ],
    [
      "objects without a parent",
      "for (const reference of references) refuseMisfit(",
      "for (const reference of references.slice(0, 0)) refuseMisfit(",
      damaged("names an object without its parent"),
    ],
    ["an empty state", "length === 0)", "length < 0)", damaged("without an organization is refused")],
  ]),
  ...mutantsOf("Store", [
    [
      "a new object takes the place of another",
      "while (this.#tables[table].rows.has(id)) id++;",
      "",
      damaged("with ids beyond its counters loses no object"),
    ],
  ]),
  ...mutantsOf("advance", [
    [
      "nobody else is answered",
      "if (performance.now() - began < sliceMs) continue;",
      "continue;",
      clock("lets others be answered meanwhile"),
    ],
    ["goes on when the service is closed", "left > 0 && !agenda.isClosed;", "left > 0;", clock("is ended by closing")],
  ]),
  ...mutantsOf("refuseFar", [
    ["any number of runs", "if (runs > mostRuns)", "if (runs < 0)", clock("is 400 beyond 100,000 runs")],
  ]),
  ...mutantsOf("NextRuns", [
    [
      "searches at every read",
      "known.after <= moment && (",
      "known.after > moment && (",
      clock("is searched once, not by every read"),
    ],
    [
      "what was found holds in the past",
      "known.after <= moment && (",
      "(",
      clock("is searched again when the schedule changes, or time goes back"),
    ],
  ]),
  ...mutantsOf("nextRun", [["no date", "!(run <= limit)", "run > limit", damaged("repeats in millions of years")]]),
  ...mutantsOf("reachedMoment", [
    ["the service's time alone", "Math.max(now, Date.parse(ownClock))", "now", ownClock("shows each moment")],
    [
      "the own clock alone",
      "Math.max(now, Date.parse(ownClock))",
      "Date.parse(ownClock)",
      ownClock("remains where it was left until"),
    ],
  ]),
  ...mutantsOf("advanceRun", [
    [
      "an end that is not durable",
      "service.writeSoon((current) => carryTo(id, to, current), hasCompleted)",
      "service.writeSoon((current) => carryTo(id, to, current), () => false)",
      ownClock("has its end before the call returns"),
    ],
    [
      "a probe that is not waited for",
      "if (runToAdvance(id, service.scope()).plan === null) await agenda.released();",
      "runToAdvance(id, service.scope());",
      ownClock("waits for the probe iteration"),
    ],
  ]),
  ...mutantsOf("service/thresholdIn", [
    ["seconds as milliseconds", "threshold * factor", "threshold", kpis("fits, and is counted in")],
    [
      "as inexact as a computer",
      "Number((threshold * factor).toPrecision(15))",
      "threshold * factor",
      kpis("as exact as"),
    ],
  ]),
];
