import { IsAmount } from '../api/requests/amount.js';
import { type Amount, parseAmount, valueFromMinor } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { isText } from '../common/text.js';
import { isUuid } from '../common/uuid.js';
import { Given, IsText, Items, Nested, OneOf, Rule } from '../common/validation.js';
import { AGAIN, OWN_KEY } from './owed-keys.js';
import { receiptTypes, type ReceiptType } from './own-receipt.js';
import { receiptTotalMinor } from './receipt-sums.js';
import { IsReceipt, type ReceiptInput } from './receipt.input.js';

/** How what is on the receipt is paid. */
export const settlementTypes = ['cashless', 'prepayment', 'postpayment', 'consideration'] as const;

class SettlementShape {
  @OneOf(settlementTypes)
  readonly type!: (typeof settlementTypes)[number];

  @IsAmount()
  readonly amount!: Amount;
}

class UserPropsShape {
  @IsText(64)
  readonly name!: string;

  @IsText(234)
  readonly value!: string;
}

/** A caller's own name for a receipt: none that the module gives, to its own receipts or to another attempt. */
export const IsReceiptKey = (): PropertyDecorator => (prototype, name) => {
  Rule('must be your own name for this receipt, a string of 1 to 64 characters', (value) =>
    isText(value, 1, 64),
  )(prototype, name);
  Rule(
    `must not begin with “${OWN_KEY}” or contain “${AGAIN}”, as the module's own do`,
    (value) => typeof value !== 'string' || (!value.startsWith(OWN_KEY) && !value.includes(AGAIN)),
  )(prototype, name);
};

export class OwnReceiptInputShape {
  /** Your own name for this receipt, 1 to 64 characters, not `auto:…` and without `~`. The same key is the same receipt. */
  @IsReceiptKey()
  readonly receiptKey!: string;

  /** `payment`: income, of what is held or paid; `refund`: its return. */
  @OneOf(receiptTypes)
  readonly type!: ReceiptType;

  /** Ours, of a succeeded refund: the receipt is of it. Default: of the payment itself. */
  @Given()
  @Rule('must be the id of a refund, a UUID', isUuid)
  readonly refundId?: string;

  @IsReceipt('is required: { customer, items, … }')
  readonly receipt!: ReceiptInput;

  /** Add up to the receipt's items. Default: all of it `cashless`. */
  @Given()
  @Items(() => SettlementShape, 10, '{ type, amount }')
  readonly settlements?: readonly Readonly<SettlementShape>[];

  @Given()
  @Nested(() => UserPropsShape, 'must be { name, value }')
  readonly additionalUserProps?: Readonly<UserPropsShape>;

  /** Of split payments: the store in whose name it is sent, its identifier at the service. */
  @Given()
  @Rule('must be a store’s identifier: 1 to 64 letters, digits, - and _', (value) => {
    return isText(value, 1, 64) && /^[\w-]+$/.test(value);
  })
  readonly onBehalfOf?: string;
}

/** The input of `payments.receipts.create`. */
export type OwnReceiptInput = Readonly<OwnReceiptInputShape>;

/** @throws PaymentInputError naming the difference */
export function mustSettle({ receipt, settlements = [] }: OwnReceiptInput): void {
  const totalMinor = receiptTotalMinor(receipt);
  const settledMinor = settlements.reduce((sum, { amount }) => sum + parseAmount(amount), 0);
  if (settlements.length > 0 && settledMinor !== totalMinor)
    throw new PaymentInputError(
      'settlements',
      `must add up to the receipt's items: they are ${valueFromMinor(settledMinor)} instead of ${valueFromMinor(totalMinor)}`,
    );
}
