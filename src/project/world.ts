/** What a command may know of the world around it; everything that is not a pure function of its input. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** One line per request, with LOADFORM_LOG=debug. */
  readonly log?: (line: string) => void;
  readonly version: string;
}

/** Where a project stands and how it is parametrized. */
export interface ProjectFlags {
  readonly dir: string;
  readonly environment?: string;
  readonly vars: Readonly<Record<string, string>>;
}
