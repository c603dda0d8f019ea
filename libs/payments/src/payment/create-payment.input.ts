import { parseRequest } from '../api/requests/parse-request.js';
import { IsServiceId } from '../api/requests/rules.js';
import { Given, OneOf } from '../common/validation.js';
import { parseIntent, type CreateIntent, type InputTerms } from './create-intent.js';
import { OrderPaymentInput } from './order-payment.input.js';

/** Method types a create may request; card data and cryptograms go through CardPaymentsService. */
const requestableMethods = ['bank_card', 'wallet'] as const;
/** One of {@link requestableMethods}. */
export type RequestableMethod = (typeof requestableMethods)[number];

class CreatePaymentInputShape extends OrderPaymentInput {
  /** Default: the buyer chooses on the service's page. */
  @Given()
  @OneOf(requestableMethods)
  readonly method?: RequestableMethod;

  /**
   * A method saved earlier: an automatic payment. The buyer confirms nothing, so there is no `returnUrl`, and the
   * payment comes back `succeeded`, `waiting_for_capture` or `canceled`.
   */
  @Given()
  @IsServiceId('saved payment method')
  readonly paymentMethodId?: string;
}

/** The input of {@link PaymentsService.create}. */
export type CreatePaymentInput = Readonly<CreatePaymentInputShape>;

/**
 * Validates a create before any row is written or any request is sent.
 * @throws PaymentInputError naming the field by its path and the rule
 */
export function parseCreateInput(input: CreatePaymentInput, terms: InputTerms): CreateIntent {
  const { method = null, paymentMethodId = null, ...rest } = parseRequest(CreatePaymentInputShape, input);
  return parseIntent(rest, { method, paymentMethodId, cardData: false }, terms);
}
