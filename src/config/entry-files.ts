/** The main file of a YAML project. */
export const mainFile = "loadform.yaml";

/** The entry of a project in TypeScript. */
export const programFile = "loadform.config.ts";
