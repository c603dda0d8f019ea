/** The environment variable that carries a program's settings as JSON. */
export const SETTINGS = 'BENCH_SETTINGS';

/** One step that the parent process asks for. */
export interface Call {
  readonly id: number;
  readonly step: string;
  readonly input: unknown;
}

/** Its result. Call 0 is the start itself. */
export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Milliseconds since 1970 with fractions: the same for all processes of one machine. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
