/** One guard taken out of the sources, and the test that must notice. */
export interface Mutant {
  readonly name: string;
  /** Path below src. */
  readonly file: string;
  /** Exact text of the source, once in the file. */
  readonly from: string;
  readonly to: string;
  /** Test file, below test, and a part of the full name of the test that must fail. */
  readonly by: readonly [file: string, test: string];
}

/** Mutants of one source file: name, text, replacement, and the test that must fail. */
export function mutantsOf(
  file: string,
  edits: readonly (readonly [name: string, from: string, to: string, by: Mutant["by"]])[],
): readonly Mutant[] {
  return edits.map(([name, from, to, by]) => ({ name: `${file}: ${name}`, file, from, to, by }));
}
