import { limits } from '../../api/limits.js';
import { IsAmount } from '../../api/requests/amount.js';
import { parseRequest } from '../../api/requests/parse-request.js';
import { IsDescription } from '../../api/requests/rules.js';
import type { Metadata } from '../../common/metadata.js';
import { parseAmount, type Amount } from '../../common/money.js';
import { isText } from '../../common/text.js';
import { Given, Rule } from '../../common/validation.js';
import { AreLines, type ReceiptLines } from '../../receipts/builder.input.js';
import { mustTakeReceipts } from '../../receipts/fiscalization.js';
import { IsReceipt, type ReceiptInput } from '../../receipts/receipt.input.js';
import type { InputTerms } from '../inputs/create-intent.js';
import { checkExtra, IsExtra } from '../inputs/extra.js';
import { IsOwnMetadata, mustLeaveMark } from '../own-mark.js';
import type { RefundRequest } from './decide-refund.js';

class RefundInputShape {
  /** Your own name for this refund, 1 to 64 characters, e.g. the number of the return. The same key is the same refund. */
  @Rule('is required: your own name for this refund, a string of 1 to 64 characters', (value) =>
    isText(value, 1, 64),
  )
  readonly refundKey!: string;

  /** Default: all that is left. */
  @Given()
  @IsAmount()
  readonly amount?: Amount;

  /** At most 250 characters. */
  @Given()
  @IsDescription(limits.refundDescriptionLength.value)
  readonly description?: string;

  /**
   * That of the payment, as `create` was given it; where a part was captured, of the capture. The module makes the refund's of it:
   * of `lines`, of `amount`, or of all that is left, less what other refunds give back.
   */
  @Given()
  @IsReceipt()
  @Rule(
    'must be left out beside receipt, which says what is given back',
    (_value, { receipt }) => receipt === undefined,
  )
  readonly receiptOf?: ReceiptInput;

  /** Which lines of `receiptOf` are given back, in place of an amount. */
  @Given()
  @AreLines()
  @Rule('must be left out beside amount: they say it', (_value, { amount }) => amount === undefined)
  @Rule(
    'needs receiptOf: the receipt whose lines they are',
    (_value, { receiptOf }) => receiptOf !== undefined,
  )
  readonly lines?: ReceiptLines;

  /**
   * Of a part, in place of `receiptOf`: needed if the payment has one, unless it is all that is left, with the contact still kept.
   * For the whole payment the service takes the payment's.
   */
  @Given()
  @IsReceipt()
  readonly receipt?: ReceiptInput;

  /** At most 15 entries (one more is ours), keys of at most 32 and values of at most 512 characters. */
  @Given()
  @IsOwnMetadata()
  readonly metadata?: Metadata;

  /** As that of a create: fields of a refund that this module does not know, such as `sources`. */
  @Given()
  @IsExtra()
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The input of {@link PaymentsService.refund}. */
export type RefundInput = Readonly<RefundInputShape>;

/** @throws PaymentInputError naming the field by its path and the rule */
export function parseRefundInput(input: RefundInput, profile: InputTerms['profile']): RefundRequest {
  const {
    refundKey,
    amount,
    description = null,
    metadata = {},
    receipt = null,
    receiptOf = null,
    lines = null,
    extra = {},
  } = parseRequest(RefundInputShape, input);
  mustTakeReceipts(receipt ?? receiptOf, profile);
  mustLeaveMark(metadata, profile.refundMetadataKey, 'refund id');
  checkExtra(extra, 'refund');
  return {
    refundKey,
    amountMinor: amount ? parseAmount(amount) : null,
    description,
    metadata,
    receipt,
    receiptOf,
    lines,
    extra,
  };
}
