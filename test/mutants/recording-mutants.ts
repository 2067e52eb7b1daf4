import { type Mutant, mutantsOf } from "./mutant.ts";

const life = (test: string): Mutant["by"] => ["service/routes/recordings.test.ts", test];
const proxy = (test: string): Mutant["by"] => ["service/http/recording-proxy.test.ts", test];
const traffic = (test: string): Mutant["by"] => ["service/http/recorded-traffic.test.ts", test];
const links = (test: string): Mutant["by"] => ["service/http/rewritten-links.test.ts", test];
const script = (test: string): Mutant["by"] => ["service/http/recorded-script.test.ts", test];

/** What the recording proxy may reach, and what of its traffic is kept. */
export const recordingMutants: readonly Mutant[] = [
  ...mutantsOf("startRecording", [
    ["two at once", "if (running)", "if (running === null)", life("runs alone on its gateway")],
  ]),
  ...mutantsOf("targetAddress", [
    ["any host", "if (!isAllowedHost(hostname, settings))", "if (false)", proxy("a host beyond loopback: 403")],
  ]),
  ...mutantsOf("forwardedHeaders", [
    ["hop by hop", "!dropped.has(name.toLowerCase())", "true", proxy("forwards method, path, query, headers and body")],
  ]),
  ...mutantsOf("pipeRequest", [
    [
      "any body",
      "      if (length > limit) throw tooLarge(length, limit);\n      seen",
      "      seen",
      proxy("a body beyond the limit: 413 (length announced: false)"),
    ],
  ]),
  ...mutantsOf("maskedHeaders", [
    [
      "secrets in snapshots",
      "isSecretHeader(name, settings) ? mask : value",
      "value",
      traffic("stand in no snapshot, no script and no fork"),
    ],
  ]),
  ...mutantsOf("breach", [["no cap", "size > settings.recordingCap", "size < 0", traffic("stops with limitBreached")]]),
  ...mutantsOf("isStillRecorded", [
    [
      "packets of a recording that was stopped",
      "&& runningById(opened.recordingId, scope) !== undefined",
      "",
      script("holds no answer that came after the stop"),
    ],
  ]),
  ...mutantsOf("keyFor", [["a key for each link", "known[0] ??", "", links("mint one key for each base url")]]),
  ...mutantsOf("jsLiteral", [
    ["a name is code", "[\\u2028\\u2029]", "[\\u2027]", script("is no way out of its comment")],
  ]),
];
