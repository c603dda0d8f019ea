import { Injectable } from '@nestjs/common';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';

/** Who says what. */
export interface Note {
  /** Who, 1 to 128 characters. */
  readonly by: string;
  /** What they do or have found, and why, 1 to 1,000 characters. */
  readonly note: string;
}

/** Writes what people say into timelines. No row but the event is changed, so no lock is taken. */
@Injectable()
export class Notes {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentReader,
  ) {}

  /** @throws PaymentNotFoundError */
  async add(paymentId: string, { by, note }: Note, scope: StoreScope): Promise<void> {
    const { payment } = await this.payments.find(paymentId, scope);
    await this.database.transaction((manager) =>
      recordEvent(manager, this.database, aboutPayment(payment), {
        name: 'payment.noted',
        cause: 'operator',
        evidence: { by, note },
      }),
    );
  }
}
