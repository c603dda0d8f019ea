import { wholeNumber } from '../common/input.js';
import { DAY_MS } from '../common/time.js';
import { Agenda, type Appointment, type Task } from './agenda.js';

/** A century: beyond it no date of a payment means anything. */
const CENTURY_MS = 100 * 366 * DAY_MS;

/** setTimeout overflows beyond 2^31 - 1 ms (24.8 days); a longer wait consists of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The sandbox's time: real time plus an offset that only grows. Whatever becomes due in real time happens by itself; `advance`
 * makes it happen at once, in time order, each at its own due time. `skew` sets the clock wrong: what it shows differs from the
 * time that has passed, and nothing becomes due sooner or later because of it.
 */
export class SandboxClock {
  readonly #agenda = new Agenda();
  readonly #running = new Set<Promise<void>>();
  #offsetMs: number;
  #skewMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #advances: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(startAt: Date = new Date()) {
    this.#offsetMs = startAt.getTime() - Date.now();
  }

  /** The time that its clock shows. */
  now(): Date {
    return new Date(this.#nowMs() + this.#skewMs);
  }

  /** How far the sandbox is ahead of real time, in milliseconds: the sum of all `advance` calls. */
  offsetMs(): number {
    return this.#offsetMs;
  }

  /** What was waited here, real time and all `advance` calls, in milliseconds: a process that shares this clock waits by it. */
  elapsedMs(): number {
    return performance.now() + this.#offsetMs;
  }

  /** The error of its clock in milliseconds: fast above zero, slow below. */
  skewMs(): number {
    return this.#skewMs;
  }

  /**
   * Sets the clock wrong by `ms` from now on, compared with all others: this affects every timestamp, and the `Date` of its
   * answers. Throws a ControlError 400 unless `ms` is a whole number within a century.
   */
  skew(ms: number): void {
    this.#skewMs = wholeNumber(ms, 'ms', -CENTURY_MS, CENTURY_MS);
  }

  /** Makes `task` run once when its clock shows `due`; a time already past means as soon as possible. */
  at(due: Date, task: Task): void {
    if (this.#closed) return;
    this.#agenda.add({ dueAtMs: due.getTime() - this.#skewMs, task });
    this.#arm();
  }

  /**
   * Moves time on by `ms` and resolves when everything due by then has ended, including notification attempts. `advance(0)`
   * therefore waits for what is due or on its way now. Calls made at the same time queue up. Throws a ControlError 400 unless
   * `ms` is a whole number from 0 to a century.
   */
  advance(ms: number): Promise<void> {
    wholeNumber(ms, 'ms', 0, CENTURY_MS);
    const advanced = this.#advances.then(() => this.#advance(ms));
    this.#advances = advanced.catch(() => undefined);
    return advanced;
  }

  /** Drops everything still to come and waits for what is running. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#agenda.clear();
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#running);
  }

  async #advance(ms: number): Promise<void> {
    const targetMs = this.#offsetMs + ms;
    for (;;) {
      // The answer to one attempt decides what is due next, so the next step waits for it.
      while (this.#running.size > 0) await Promise.all(this.#running);
      const next = this.#agenda.peek();
      if (!next || next.dueAtMs > Date.now() + targetMs) break;
      this.#offsetMs = Math.min(targetMs, Math.max(this.#offsetMs, next.dueAtMs - Date.now()));
      this.#startNext();
    }
    this.#offsetMs = targetMs;
    this.#arm();
  }

  #nowMs(): number {
    return Date.now() + this.#offsetMs;
  }

  #startNext(): void {
    const next = this.#agenda.take();
    if (!next) return;
    const run: Promise<void> = runAppointment(next, this.#skewMs).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#agenda.peek();
    if (!next || this.#closed) return;
    const waitMs = Math.min(Math.max(next.dueAtMs - this.#nowMs(), 0), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => {
      // In real time nothing waits for anything: one receiver that hangs must not delay the others.
      while ((this.#agenda.peek()?.dueAtMs ?? Infinity) <= this.#nowMs()) this.#startNext();
      this.#arm();
    }, waitMs);
  }
}

async function runAppointment({ task, dueAtMs }: Appointment, skewMs: number): Promise<void> {
  await task(new Date(dueAtMs + skewMs));
}
