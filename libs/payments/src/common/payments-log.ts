import { ConsoleLogger, Logger } from '@nestjs/common';
import { shown, shownLines } from './shown.js';

/** What a line of the log is about. Its text names what a person needs; a machine finds the same in these fields. */
export interface LogFields {
  /** Our ids. */
  readonly paymentId?: string | null | undefined;
  readonly refundId?: string | null | undefined;
  readonly receiptId?: string | null | undefined;
  readonly storeId?: string | null | undefined;
  /** The host's reference of the order. */
  readonly order?: string | null | undefined;
  /** The service's id of what is not recorded here. */
  readonly serviceId?: string;
  /** A delivery: its event, its handler, and which run of it. */
  readonly eventId?: string;
  readonly handler?: string;
  readonly attempt?: number;
}

/** Since Nest 12 a logger takes fields beside the text; that of Nest 11 prints an object as a line of its own. */
const takesFields = 'stringifyParams' in ConsoleLogger.prototype;

/** The one way of the module to Nest's logger. What buyers, handlers and the service say stands in these lines: none of it makes one of its own. */
export class PaymentsLog {
  readonly #logger = new Logger('Payments');

  debug(line: string, about: LogFields = {}): void {
    this.#logger.debug(shown(line), ...fieldsOf(about));
  }

  log(line: string, about: LogFields = {}): void {
    this.#logger.log(shown(line), ...fieldsOf(about));
  }

  warn(line: string, about: LogFields = {}): void {
    this.#logger.warn(shown(line), ...fieldsOf(about));
  }

  /** `stack`: of what was thrown, where a programmer has to find the place. */
  error(line: string, about: LogFields = {}, stack?: string): void {
    this.#logger.error(shown(line), ...fieldsOf(about), ...(stack === undefined ? [] : [shownLines(stack)]));
  }
}

/** Only those that are known; none if the logger takes none. */
function fieldsOf(about: LogFields): [] | [object] {
  const known = Object.entries(about).filter(([, value]) => value !== null && value !== undefined);
  return takesFields && known.length > 0 ? [Object.fromEntries(known)] : [];
}
