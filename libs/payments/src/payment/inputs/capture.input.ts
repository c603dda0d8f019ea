import { IsAirline, type AirlineRequest } from '../../api/requests/airline.js';
import { parseRequest } from '../../api/requests/parse-request.js';
import { IsFlag } from '../../api/requests/rules.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { Given } from '../../common/validation.js';
import { mustTakeReceipts } from '../../receipts/fiscalization.js';
import { IsReceipt, type ReceiptInput } from '../../receipts/receipt.input.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { paidWith } from '../../views/paid-with.js';
import type { InputTerms } from './create-intent.js';
import { checkExtra, IsExtra, type Extra } from './extra.js';

class CaptureExtrasShape {
  @Given()
  @IsAirline()
  readonly airline?: AirlineRequest;

  @Given()
  @IsReceipt()
  readonly receipt?: ReceiptInput;

  @Given()
  @IsExtra()
  readonly extra?: Readonly<Record<string, unknown>>;

  @Given()
  @IsFlag()
  readonly keepsDue?: boolean;
}

/** What a capture may say besides its amount. */
export type CaptureExtrasInput = Readonly<CaptureExtrasShape>;

/** The same after validation. */
export interface CaptureExtras {
  readonly airline: AirlineRequest | null;
  readonly receipt: ReceiptInput | null;
  readonly extra: Extra;
  readonly keepsDue: boolean;
}

/** @throws PaymentInputError naming the field by its path and the rule */
export function parseCaptureExtras(
  input: { readonly [Name in keyof CaptureExtrasInput]: CaptureExtrasInput[Name] | undefined },
  profile: InputTerms['profile'],
): CaptureExtras {
  const {
    airline = null,
    receipt = null,
    extra = {},
    keepsDue = false,
  } = parseRequest(CaptureExtrasShape, input);
  mustTakeReceipts(receipt, profile);
  checkExtra(extra, 'capture');
  return { airline, receipt, extra, keepsDue };
}

/** @throws PaymentInputError for air tickets of a payment that is known to be by something else */
export function mustBeByCard({ object }: Pick<PaymentsPaymentEntity, 'object'>): void {
  const { paymentMethod } = paidWith(object);
  if (paymentMethod && paymentMethod.type !== 'bank_card')
    throw new PaymentInputError(
      'airline',
      `is for bank card payments only, and this one is by ${paymentMethod.type}`,
    );
}
