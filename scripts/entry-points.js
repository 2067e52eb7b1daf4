/** What is bundled: the file under dist/ (without .js) to its source. Sources that do not exist yet are left out. */
export const entryPoints = {
  bin: "src/bin.ts",
  index: "src/index.ts",
  service: "src/service/index.ts",
  client: "src/client/index.ts",
};

/** Entry points that are started as programs and so carry the executable bit. */
export const programs = ["bin"];

/** Left to node_modules: constructs must be the user's own copy, jiti and pdfkit load parts of themselves by path, pg and the SDK of S3 are optional peers, sharp is native. */
export const externalPackages = ["@aws-sdk/client-s3", "constructs", "jiti", "pdfkit", "pg", "sharp"];
