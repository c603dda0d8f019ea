import type { LoggerService } from '@nestjs/common';

/** Nest repeats with its stack what the start then throws, and the command reports. */
const REPEATS = 'ExceptionHandler';

/** The application's log while a command runs: warnings and errors, without stacks, beside the result. */
export class CommandLog implements LoggerService {
  constructor(private readonly warnOf: (line: string) => void) {}

  log(): void {}
  debug(): void {}
  verbose(): void {}

  warn(message: unknown): void {
    this.warnOf(String(message));
  }

  /** Nest passes the context last. */
  error(message: unknown, ...others: readonly unknown[]): void {
    if (others.at(-1) !== REPEATS) this.warnOf(String(message));
  }

  fatal(message: unknown, ...others: readonly unknown[]): void {
    this.error(message, ...others);
  }
}
