import { serviceStatuses, type ServiceStatus } from '../../common/payment-status.js';
import { isText, isTimestamp } from '../../common/text.js';
import { Given, OneOf, Rule } from '../../common/validation.js';
import { limits } from '../limits.js';
import { IsServiceId } from './rules.js';

const IsMoment = () =>
  Rule('must be an ISO 8601 timestamp with its time zone, e.g. "2030-01-31T12:00:00.000Z"', isTimestamp);

const { listPageMin, listPageMax } = limits;

/** Where a list begins and how it is read (assumed: the interface shows no lists). */
class PageFilter {
  /** Objects of one page: 1 to 100. */
  @Given()
  @Rule(
    `must be a whole number from ${listPageMin.value} to ${listPageMax.value}`,
    (value) =>
      Number.isInteger(value) && Number(value) >= listPageMin.value && Number(value) <= listPageMax.value,
  )
  readonly limit?: number;

  /** `nextCursor` of the page after which to continue. */
  @Given()
  @Rule('must be the nextCursor of a page, a string', (value) => typeof value === 'string' && value !== '')
  readonly cursor?: string;
}

/** When the listed objects were created. */
class CreationFilter extends PageFilter {
  @Given()
  @IsMoment()
  readonly 'created_at.gte'?: string;

  @Given()
  @IsMoment()
  readonly 'created_at.gt'?: string;

  @Given()
  @IsMoment()
  readonly 'created_at.lte'?: string;

  @Given()
  @IsMoment()
  readonly 'created_at.lt'?: string;
}

export class PaymentListFilterShape extends CreationFilter {
  @Given()
  @IsMoment()
  readonly 'captured_at.gte'?: string;

  @Given()
  @IsMoment()
  readonly 'captured_at.gt'?: string;

  @Given()
  @IsMoment()
  readonly 'captured_at.lte'?: string;

  @Given()
  @IsMoment()
  readonly 'captured_at.lt'?: string;

  @Given()
  @OneOf(serviceStatuses)
  readonly status?: ServiceStatus;

  /** In the interface's words, e.g. `bank_card`; an unknown name is sent unchanged. */
  @Given()
  @Rule(
    'must be a payment method type, e.g. bank_card',
    (value) => isText(value, 1, 64) && /^\w+$/.test(value),
  )
  readonly payment_method?: string;
}

/** Which payments to list. */
export type PaymentListFilter = Readonly<PaymentListFilterShape>;

export class RefundListFilterShape extends CreationFilter {
  @Given()
  @IsServiceId('payment')
  readonly payment_id?: string;

  @Given()
  @OneOf(['pending', 'succeeded', 'canceled'])
  readonly status?: 'pending' | 'succeeded' | 'canceled';
}

export class ReceiptListFilterShape extends CreationFilter {
  @Given()
  @IsServiceId('payment')
  readonly payment_id?: string;

  /** Not beside `payment_id`. */
  @Given()
  @Rule('must be left out beside payment_id', (_value, { payment_id: paymentId }) => paymentId === undefined)
  @IsServiceId('refund')
  readonly refund_id?: string;

  @Given()
  @OneOf(['pending', 'succeeded', 'canceled'])
  readonly status?: 'pending' | 'succeeded' | 'canceled';
}

/** Which receipts to list. */
export type ReceiptListFilter = Readonly<ReceiptListFilterShape>;

/** Which refunds to list. */
export type RefundListFilter = Readonly<RefundListFilterShape>;
