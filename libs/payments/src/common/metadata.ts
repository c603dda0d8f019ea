/** The merchant's own entries, without our mark. */
export type Metadata = Readonly<Record<string, string>>;

/** In any order: the database does not keep it. */
export function isSameMetadata(one: Metadata, other: Metadata): boolean {
  return besides(one, other)?.length === 0;
}

/** The values of `all` under keys that `own` does not have; null if an entry of `own` is missing in `all` or differs. */
export function besides(all: Readonly<Record<string, unknown>>, own: Metadata): unknown[] | null {
  const has = Object.entries(own).every(([key, text]) => Object.hasOwn(all, key) && all[key] === text);
  return has ? Object.entries(all).flatMap(([key, value]) => (Object.hasOwn(own, key) ? [] : [value])) : null;
}
