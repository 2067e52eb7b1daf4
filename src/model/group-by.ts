/** Items by a common key, in their order. */
export function groupBy<K, V>(items: Iterable<V>, keyOf: (item: V) => K): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Values by key, in their order. */
export function grouped<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>();
  for (const [key, value] of entries) addTo(groups, key, value);
  return groups;
}

/** The value of a key of a map; it is made and set where there is none yet. */
export function getOrMake<K, V>(
  map: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A value that is made when it is first asked for. */
export function atFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

const keyLists = new WeakMap<object, readonly string[]>();

/** The keys of an object that is never changed. To list those of 100,000 takes as long as to look at each, so it is done once. */
export function keysOnce(object: object): readonly string[] {
  return getOrMake(keyLists, object, () => Object.keys(object));
}
