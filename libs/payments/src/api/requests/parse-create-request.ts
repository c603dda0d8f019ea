import { parseAmount } from '../../common/money.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import type { ServiceProfile } from '../service-profile.js';
import { CreatePaymentRequestShape, type CreatePaymentRequest } from './create-payment.js';
import { parseRequest } from './parse-request.js';
import { givenFields } from './payment-method-data.js';
import { checkScenario } from './scenario.js';

const names = {
  amount: 'amount.value',
  method: 'payment_method_data.type',
  savedMethod: 'payment_method_id',
  token: 'payment_token',
  confirmation: 'confirmation',
  returnUrl: 'confirmation',
  capture: 'capture',
  save: 'save_payment_method',
  methodField: (field: string) => `payment_method_data.${field}`,
};

/**
 * Validates a create as {@link parseRequest} does, including what its fields mean together. `cardData`: whether card data and
 * cryptograms may be sent.
 * @throws PaymentInputError
 */
export function parseCreateRequest(
  input: unknown,
  { profile, cardData }: { readonly profile: ServiceProfile; readonly cardData: boolean },
): CreatePaymentRequest {
  const request = parseRequest(CreatePaymentRequestShape, input);
  const { payment_method_data: data } = request;
  if (!cardData && data) refuseCardData(data);
  const { confirmation } = request;
  const scenario = {
    amountMinor: parseAmount(request.amount),
    capture: request.capture ?? false,
    method: data?.type ?? null,
    savedMethod: request.payment_method_id !== undefined,
    token: request.payment_token !== undefined,
    save: request.save_payment_method ?? false,
    confirmation: confirmation?.type ?? null,
    locale: confirmation?.locale !== undefined,
    fields: data ? givenFields(data) : [],
    airline: request.airline !== undefined,
  };
  checkScenario(scenario, names, profile);
  return request;
}

function refuseCardData(data: object): void {
  for (const field of ['card', 'payment_method_token']) {
    if (field in data)
      throw new PaymentInputError(
        `payment_method_data.${field}`,
        'is not sent unless card data is enabled (cardData: true), which requires a PCI DSS compliance certificate',
      );
  }
}
