import { limits } from '../../api/limits.js';
import { IsAmount } from '../../api/requests/amount.js';
import { IsDescription, IsFlag, IsReturnUrl } from '../../api/requests/rules.js';
import { holdPolicies, type HoldPolicy } from '../../common/hold-policy.js';
import type { Metadata } from '../../common/metadata.js';
import type { Amount } from '../../common/money.js';
import { isText } from '../../common/text.js';
import { isUuid } from '../../common/uuid.js';
import { Given, IsText, Nested, OneOf, Rule } from '../../common/validation.js';
import { IsReceipt, type ReceiptInput } from '../../receipts/receipt.input.js';
import { IsOwnMetadata } from '../own-mark.js';
import { IsExtra } from './extra.js';
import { SentShape } from './sent-fields.js';

/**
 * Control characters, those that only steer (bidirectional marks, joiners), breaks of lines and paragraphs, fillers and other letters of no
 * shape, and every space but the common one, at neither end: two orders whose names look alike would be one for people.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]|^ | $/u;

/** The order a payment is for. */
class OrderShape {
  /** The merchant's own name for the order: 1 to 128 characters, all of which can be seen in a log and an address; no space at either end. */
  @Rule(
    'must be a string of 1 to 128 characters, none of them a control character, a line break or one that is not seen, with no space at either end',
    (value) => isText(value, 1, 128) && !UNSEEN.test(value),
  )
  readonly reference!: string;

  /** What is due for the whole order. Default: `amount`. */
  @Given()
  @IsAmount()
  readonly totalDue?: Amount;
}

/** The common input of every create, whoever asks the buyer for card data. */
export class OrderPaymentInput extends SentShape {
  @Nested(() => OrderShape, 'is required: { reference, totalDue? }')
  readonly order!: Readonly<OrderShape>;

  /** The connected store that is paid; its id. Default: the shop's own. */
  @Given()
  @Rule('must be the id of a connected store, a UUID', isUuid)
  readonly store?: string;

  /** In roubles, e.g. `{ value: '1234.50', currency: 'RUB' }`. By bank card 1.00 to 350000.00. */
  @IsAmount()
  readonly amount!: Amount;

  /** true, the default: one-stage. false: the amount is held, and `capture()` captures it later. */
  @Given()
  @IsFlag()
  readonly capture?: boolean;

  /**
   * Where the buyer returns after payment: http or https, at most 2048 characters. Required if the buyer confirms, and omitted if
   * there is nothing to confirm: an automatic payment, a wallet's cryptogram.
   */
  @Given()
  @IsReturnUrl()
  readonly returnUrl?: string;

  /** true: 3-D Secure is requested for a card payment (`enforce`). Default: the bank decides. */
  @Given()
  @IsFlag()
  readonly enforce3dSecure?: boolean;

  /** Shown to the buyer and in the Merchant Profile: at most 128 characters. */
  @Given()
  @IsDescription(limits.descriptionLength.value)
  readonly description?: string;

  /** true: the method is saved, and its id in the payment's `paymentMethod` can be used for automatic payments. */
  @Given()
  @IsFlag()
  readonly savePaymentMethod?: boolean;

  /**
   * The receipt by law 54-FZ; its items add up to `amount`, and {@link receiptOfCart} makes it from a cart. Only with
   * `yookassaProfile`.
   */
  @Given()
  @IsReceipt()
  readonly receipt?: ReceiptInput;

  /** At most 15 entries (one more is ours), keys of at most 32 and values of at most 512 characters. */
  @Given()
  @IsOwnMetadata()
  readonly metadata?: Metadata;

  /**
   * Fields of the service's request that this module does not know, such as `transfers` or `deal`, by the service's names: at most
   * 16,384 bytes of JSON. They are stored, so card data and tokens are refused.
   */
  @Given()
  @IsExtra()
  readonly extra?: Readonly<Record<string, unknown>>;

  /** With `capture: false`: what happens to the hold before it ends, whatever the module's `holds` option says. */
  @Given()
  @OneOf(holdPolicies)
  readonly holdPolicy?: HoldPolicy;

  /** The cart changed: take the place of the order's open or held payment. */
  @Given()
  @IsFlag()
  readonly replace?: boolean;

  /**
   * If an order is paid in several payments that may be open at once (a gift card of two friends, a deposit and the rest): the
   * name of this one, 1 to 64 characters. The same part again is the same payment. Default: the order has one.
   */
  @Given()
  @IsText(64)
  readonly part?: string;
}
