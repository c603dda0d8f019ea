/** The environment variable that carries a program's settings as JSON. */
export const SETTINGS = 'BENCH_SETTINGS';

/** One step that the parent process asks for. */
export interface Call {
  readonly id: number;
  readonly step: string;
  readonly input: unknown;
}

/** What came of it. Call 0 is the start itself. */
export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Milliseconds since 1970 with fractions: processes of one machine agree on it. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
