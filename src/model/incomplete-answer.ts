/** A read that could not be completed: absent is not empty (docs/engine.md, Reading). */
export class IncompleteAnswer extends Error {
  override readonly name = "IncompleteAnswer";
}
