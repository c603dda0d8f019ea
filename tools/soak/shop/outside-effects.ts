import { appendFile } from 'node:fs/promises';

/** What a handler does outside the database, as an e-mail: it stays done whatever becomes of the transaction. */
export interface OutsideEffect {
  /** Whoever does it leaves out what was done under the same key. */
  readonly effectKey: string;
  readonly handlerId: string;
  readonly event: string;
  readonly orderReference: string;
  /** The service's ids, which outlive the database; null: not known. */
  readonly paymentId: string | null;
  /** Of the refund or of the receipt that is sent by itself. */
  readonly subjectId: string | null;
}

/** Every one that any process did, a line each in one file. */
export class OutsideEffects {
  constructor(private readonly path: string) {}

  /** A short line is written in one piece, and outlives its process. */
  write(effect: OutsideEffect): Promise<void> {
    return appendFile(this.path, `${JSON.stringify(effect)}\n`);
  }
}
