import { ConsoleLogger, type LogLevel } from '@nestjs/common';

/** Nest's own log, in colours where a person reads them: in a file or a pipe they are noise. */
export function plainLog(logLevels: LogLevel[]): ConsoleLogger {
  const isRead = [process.stdout, process.stderr].every(({ isTTY }) => isTTY);
  return new ConsoleLogger({ logLevels, colors: isRead && !process.env['NO_COLOR'] });
}
