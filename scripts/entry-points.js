/** What is bundled: the file under dist/ (without .js) to its source. Sources that do not exist yet are left out. */
export const entryPoints = {
  bin: "src/bin.ts",
  "provider-bin": "src/provider-bin.ts",
  index: "src/index.ts",
  service: "src/service/index.ts",
  client: "src/client/index.ts",
};

/** Entry points that are started as programs and so carry the executable bit. */
export const programs = ["bin", "provider-bin"];

/** Left to node_modules: constructs must be the user's own copy, jiti and pdfkit load parts of themselves by path, pg is an optional peer, sharp is native. */
export const externalPackages = ["constructs", "jiti", "pdfkit", "pg", "sharp"];
