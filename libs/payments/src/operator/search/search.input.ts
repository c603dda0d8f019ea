import { paymentStatuses, type PaymentStatus } from '../../common/payment-status.js';
import type { StoreScope } from '../../common/store.scope.js';
import { isTimestamp } from '../../common/text.js';
import { Given, IsText, OneOf, Rule } from '../../common/validation.js';
import { placeOf } from '../place.js';

/** Which payments to look for, of one store, and which page of them. */
export interface PaymentSearchInput extends StoreScope {
  /**
   * What a search box takes: an order's reference; our id or the service's of a payment or refund; the last four digits of a card
   * (`4444` or `*4444`); the amount that a payment was created for (`1 234,50`). 1 to 256 characters. A text that can mean several
   * finds the payments of all. Not beside `status`.
   */
  readonly text?: string;
  /** `submitting` has those of unknown outcome. */
  readonly status?: PaymentStatus;
  /** Created at this time of business or later. */
  readonly from?: Date;
  /** Created before this time of business. */
  readonly to?: Date;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string;
}

const isMoment = (value: unknown): boolean => isTimestamp(value);

export class PaymentSearchShape {
  @Given()
  @Rule('must be left out beside status', (_value, { status }) => status === undefined)
  @IsText(256)
  readonly text?: string;

  @Given()
  @OneOf(paymentStatuses)
  readonly status?: PaymentStatus;

  @Given()
  @Rule('must be a valid Date', isMoment)
  readonly from?: string;

  @Given()
  @Rule('must be later than from', (value, { from }) => isLater(from, value))
  @Rule('must be a valid Date', isMoment)
  readonly to?: string;

  @Given()
  @Rule('must be the nextCursor of a page', (value) => placeOf(value) !== null)
  readonly cursor?: string;
}

function isLater(from: unknown, to: unknown): boolean {
  return typeof from !== 'string' || (typeof to === 'string' && Date.parse(to) > Date.parse(from));
}
