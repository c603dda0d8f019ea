/** A notification that has come and is not stored yet. */
export interface Arrival {
  readonly storeId: string;
  readonly event: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly body: string;
  readonly senderAddress: string;
}

/** Arrivals of one (store, object, event), in the order in which they came: one row, with what the last of them brought. */
export type Repeats<A extends Arrival> = readonly [A, ...A[]];

/** Groups what has come into rows: a statement may not meet a row twice. */
export function repeatsOf<A extends Arrival>(arrivals: readonly A[]): Repeats<A>[] {
  const rows = new Map<string, [A, ...A[]]>();
  for (const arrival of arrivals) {
    const key = JSON.stringify([arrival.storeId, arrival.objectId, arrival.event]);
    const row = rows.get(key);
    if (row) row.push(arrival);
    else rows.set(key, [arrival]);
  }
  return [...rows.values()];
}

/** What came last. */
export function lastOf<A extends Arrival>(repeats: Repeats<A>): A {
  return repeats.at(-1) ?? repeats[0];
}
