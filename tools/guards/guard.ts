/** A line on which a guarantee rests, and the test that must fail without it. */
export interface Guard {
  /** Its name in the table, and in `--only`. */
  readonly id: string;
  /** The guarantee of ARCHITECTURE.md that rests on it. */
  readonly guarantee: `G${number}`;
  /** What holds because of it. */
  readonly keeps: string;
  /** Relative to the library's sources. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly text: string;
  readonly broken: string;
  /** Relative to the checkout. */
  readonly spec: string;
  /** A part of the test's title, as it is written; default: the whole spec. */
  readonly test?: string;
  /** For test/deep/interleavings.spec.ts: the one order that it plays. */
  readonly schedule?: string;
}

/** Guards of one file. */
export function guardsOf(file: string, guards: readonly Omit<Guard, 'file'>[]): readonly Guard[] {
  return guards.map((guard) => ({ file, ...guard }));
}
