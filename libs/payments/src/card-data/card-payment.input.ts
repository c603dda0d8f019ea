import { CardRequestShape, type CardRequest } from '../api/requests/card.js';
import { parseRequest } from '../api/requests/parse-request.js';
import type { BankCardData, WalletPayData } from '../api/requests/payment-method-data.js';
import { IsWalletToken } from '../api/requests/rules.js';
import { mustTakeNoManager } from '../common/arguments.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { Given, Nested } from '../common/validation.js';
import { parseIntent, type CreateIntent, type InputTerms } from '../payment/inputs/create-intent.js';
import { OrderPaymentInput } from '../payment/inputs/order-payment.input.js';

class CreateCardPaymentInputShape extends OrderPaymentInput {
  /**
   * The card as its holder entered it on your side (field names as the service writes them). The `returnUrl` is where the
   * 3-D Secure page sends the buyer back to.
   */
  @Given()
  @Nested(() => CardRequestShape, 'must be { number, expiry_month, expiry_year, csc?, cardholder? }')
  readonly card?: CardRequest;

  /** A mobile wallet's cryptogram (`payment_method_token`): nothing to confirm, so no `returnUrl`. */
  @Given()
  @IsWalletToken()
  readonly walletToken?: string;
}

/** The input of {@link CardPaymentsService.create}: one of `card` and `walletToken`. */
export type CreateCardPaymentInput = Readonly<CreateCardPaymentInputShape>;

/** The recorded part of a create, and the part that is not recorded. */
interface CardPayment {
  readonly intent: CreateIntent;
  readonly data: BankCardData | WalletPayData;
}

/** @throws PaymentInputError naming the field by its path and the rule, never a value */
export function parseCardPaymentInput(input: CreateCardPaymentInput, terms: InputTerms): CardPayment {
  mustTakeNoManager(input);
  const { card, walletToken, ...rest } = parseRequest(CreateCardPaymentInputShape, input);
  const data = dataOf(card, walletToken);
  const intended = { method: data.type, paymentMethodId: null, cardData: true } as const;
  return { data, intent: parseIntent(rest, intended, terms) };
}

function dataOf(card: CardRequest | undefined, token: string | undefined): BankCardData | WalletPayData {
  if (card && token !== undefined)
    throw new PaymentInputError(
      'walletToken',
      'must be left out beside card: one of them says how it is paid',
    );
  if (card) return { type: 'bank_card', card };
  if (token !== undefined) return { type: 'wallet_pay', payment_method_token: token };
  throw new PaymentInputError('card', 'is required, or walletToken in its place');
}
