/** What is bundled: the file under dist/ (without .js) to its source. Sources that do not exist yet are left out. */
export const entryPoints = {
  bin: "src/bin.ts",
  // Started by loadform watch, one process for each check.
  "watch-check": "src/check-bin.ts",
  index: "src/index.ts",
  service: "src/service/index.ts",
  client: "src/client/index.ts",
};

/** Entry points that are started as programs and so carry the executable bit. */
export const programs = ["bin"];

/**
 * Left to node_modules, all else is bundled: constructs must be the user's own copy, jiti loads its compiler by path and is a
 * program of projects with cdktf, pg, pg-boss, the SDK of S3 and sharp are optional peers, which need what npm installs beside them.
 */
export const externalPackages = ["@aws-sdk/client-s3", "constructs", "jiti", "pg", "pg-boss", "sharp"];
