import { Logger, type LoggerService } from '@nestjs/common';
import { PaymentsLog } from './payments-log.js';

describe('a line of the log', () => {
  const lines: unknown[][] = [];
  const note = (...line: unknown[]) => void lines.push(line);
  const logger: LoggerService = { log: note, error: note, warn: note, debug: note };
  beforeEach(() => {
    lines.length = 0;
    Logger.overrideLogger(logger);
  });
  afterEach(() => Logger.overrideLogger(true));

  it('is one line, whatever the service, a buyer or a handler says in it', () => {
    const forged = 'Refused: no\n[Nest] 1  - LOG [Payments] All is well\u001B[2J\u202E';
    const log = new PaymentsLog();
    log.debug(forged);
    log.log(forged);
    log.warn(forged);
    log.error(forged, {}, `Error: ${forged}\n    at somewhere`);
    const said = String.raw`Refused: no\n[Nest] 1  - LOG [Payments] All is well\u001b[2J\u202e`;
    expect(lines.map(([line]) => line)).toEqual([said, said, said, said]);
    const [, stack] = lines[3] ?? [];
    expect(String(stack).split('\n')).toEqual([
      'Error: Refused: no',
      String.raw`    [Nest] 1  - LOG [Payments] All is well\u001b[2J\u202e`,
      '    at somewhere',
    ]);
  });
});
