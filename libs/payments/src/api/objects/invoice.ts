import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import type { CancellationDetailsObject } from './cancellation-details.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/** An invoice as the service returns it. The public service's alone. */
export interface InvoiceObject extends OpenObject {
  readonly id: string;
  readonly status: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly cart?: readonly {
    readonly description?: string;
    /** Of one. */
    readonly price?: Amount;
    readonly discount_price?: Amount;
    readonly quantity?: number;
  }[];
  /** While it is pending. `url`: of one that the shop delivers itself, where it is paid. */
  readonly delivery_method?: { readonly type?: OpenEnum<'self' | 'email' | 'sms'>; readonly url?: string };
  /** The payment that it is paid by, once its buyer has confirmed that. */
  readonly payment_details?: { readonly id?: string; readonly status?: string };
  /** ISO 8601, UTC, with milliseconds. */
  readonly created_at?: string;
  /** While it is pending. */
  readonly expires_at?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly cancellation_details?: CancellationDetailsObject;
}

export function isInvoiceObject(body: unknown): body is InvoiceObject {
  return isRecord(body) && isText(body['id']) && isText(body['status']);
}
