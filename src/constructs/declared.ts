/** An object of a kind that the program declares: what other objects refer to. */
export interface Declared<K extends string = string> {
  readonly kind: K;
  /** Its identity in addresses. */
  readonly key: string;
}
