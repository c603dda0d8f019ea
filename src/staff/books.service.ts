import {
  emptyAuditReport,
  PaymentsOperator,
  ServiceError,
  withAuditSlice,
  type AuditReport,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import type { ShopOptions } from '../config/shop-options.js';

/** What an audit of the shop's books found; null if the payment service gave no answer. */
export interface Books {
  from: Date;
  to: Date;
  found: AuditReport | null;
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
    let found = emptyAuditReport;
    try {
      for await (const slice of this.operator.audit({ from, to })) found = withAuditSlice(found, slice);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { from, to, found: null };
    }
    return { from, to, found };
  }
}
