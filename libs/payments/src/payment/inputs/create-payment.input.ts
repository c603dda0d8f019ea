import { mustBeMethod } from '../../api/method-of.js';
import type { MethodName } from '../../api/method-rules.js';
import { parseRequest } from '../../api/requests/parse-request.js';
import { IsPaymentToken, IsServiceId } from '../../api/requests/rules.js';
import type { ServiceProfile } from '../../api/service-profile.js';
import { mustTakeNoManager } from '../../common/arguments.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { Given, Rule } from '../../common/validation.js';
import { type ConfirmationInput, IsConfirmationInput } from './confirmation.input.js';
import { parseIntent, type CreateIntent, type InputTerms } from './create-intent.js';
import { IsMethodData, type MethodData } from './method-data.input.js';
import { OrderPaymentInput } from './order-payment.input.js';

/** A method that a create may request, if the profile has it. Card data and cryptograms go through CardPaymentsService. */
export type RequestableMethod = MethodName;

class CreatePaymentInputShape extends OrderPaymentInput {
  /** Default: the buyer chooses on the service's page. */
  @Given()
  @Rule('must be the name of a method', (value) => typeof value === 'string')
  readonly method?: RequestableMethod;

  /** What the method needs besides its name, such as a phone. */
  @Given()
  @IsMethodData()
  readonly methodData?: MethodData;

  /**
   * How the buyer confirms the payment. Default: `returnUrl` and `enforce3dSecure`, the short form of
   * `{ type: 'redirect', returnUrl, enforce3dSecure }`.
   */
  @Given()
  @IsConfirmationInput()
  readonly confirmation?: ConfirmationInput;

  /**
   * A method saved earlier: an automatic payment. The buyer confirms nothing, so there is no `returnUrl`, and the
   * payment comes back `succeeded`, `waiting_for_capture` or `canceled`.
   */
  @Given()
  @IsServiceId('saved payment method')
  readonly paymentMethodId?: string;

  /**
   * What the service's form on your page or in your app has made of a card. It pays once and is stored nowhere, so a create whose
   * answer was lost is never sent again: it is looked up in the service's list. With a `returnUrl` the bank can ask for 3-D Secure.
   */
  @Given()
  @IsPaymentToken()
  readonly paymentToken?: string;
}

/** The input of {@link PaymentsService.create}. */
export type CreatePaymentInput = Readonly<CreatePaymentInputShape>;

/**
 * Validates a create before any row is written or any request is sent.
 * @throws PaymentInputError naming the field by its path and the rule
 */
export function parseCreateInput(input: CreatePaymentInput, terms: InputTerms): CreateIntent {
  mustTakeNoManager(input);
  const given = parseRequest(CreatePaymentInputShape, input);
  const { method = null, methodData = null, paymentMethodId = null, confirmation, ...others } = given;
  const { paymentToken, ...rest } = others;
  const { profile } = terms;
  if (method !== null) mustBeMethod(profile, method, { field: 'method', among: confirmedMethods(profile) });
  const isByToken = paymentToken !== undefined;
  if (isByToken && profile.metadataKey === null)
    throw new PaymentInputError(
      'paymentToken',
      'needs a profile with a metadataKey: a create whose answer was lost can only be found by our id in its metadata',
    );
  const intended = { method, methodData, paymentMethodId, confirmation };
  return parseIntent(rest, { ...intended, paymentToken: isByToken, cardData: isByToken }, terms);
}

/** A cryptogram's method is not among them: its buyer has nothing to confirm. */
function confirmedMethods({ methods }: ServiceProfile): string[] {
  return Object.keys(methods).filter((name) => methods[name]?.confirmations.length !== 0);
}
