import { PaymentsOperator, ServiceError, type AuditDifference } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import type { ShopOptions } from '../config/shop-options.js';

/** What an audit of the shop's books found; null if the payment service gave no answer. */
export interface Books {
  from: Date;
  to: Date;
  found: { payments: number; refunds: number; receipts: number; differences: AuditDifference[] } | null;
}

const DAY_MS = 86_400_000;

@Injectable()
export class BooksService {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly config: ConfigService<ShopOptions, true>,
  ) {}

  /** Compares what was created in the last 24 hours of business time with what the service lists. */
  async compareLastDay(): Promise<Books> {
    const { clock } = this.config.get('payments', { infer: true });
    const to = new Date(Date.now() + (clock?.offsetMs() ?? 0));
    const from = new Date(to.getTime() - DAY_MS);
    const found = { payments: 0, refunds: 0, receipts: 0, differences: new Array<AuditDifference>() };
    try {
      for await (const slice of this.operator.audit({ from, to })) {
        found.payments += slice.payments;
        found.refunds += slice.refunds;
        found.receipts += slice.receipts;
        found.differences.push(...slice.differences);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { from, to, found: null };
    }
    return { from, to, found };
  }
}
