/**
 * `lost`: it happened and someone does not know of it. `doubled`: it happened more often than it should. `wrong`: the
 * books contradict each other. `unsettled`: nobody knows yet how it ends. `late`: one that hung was waited for.
 */
export type FindingKind = 'lost' | 'doubled' | 'wrong' | 'unsettled' | 'late';

export interface Finding {
  readonly kind: FindingKind;
  readonly what: string;
}

export function lost(what: string): Finding {
  return { kind: 'lost', what };
}

export function doubled(what: string): Finding {
  return { kind: 'doubled', what };
}

export function wrong(what: string): Finding {
  return { kind: 'wrong', what };
}

export function unsettled(what: string): Finding {
  return { kind: 'unsettled', what };
}

export function late(what: string): Finding {
  return { kind: 'late', what };
}

/** Used by several checks: the rows under each key. */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

export function sum<Row>(rows: readonly Row[], minorOf: (row: Row) => number): number {
  return rows.reduce((total, row) => total + minorOf(row), 0);
}
