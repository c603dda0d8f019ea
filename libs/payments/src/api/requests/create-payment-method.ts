import { PaymentInputError } from '../../common/payments.errors.js';
import { Given, OneOf, Rule } from '../../common/validation.js';
import { limits } from '../limits.js';
import { anyOf } from '../method-faults.js';
import { notPartOf } from '../method-of.js';
import { bindableMethods, type BindableMethod } from '../method-rules.js';
import type { ServiceProfile } from '../service-profile.js';
import { type ConfirmationRequest, IsConfirmation } from './confirmation.js';
import { parseRequest } from './parse-request.js';
import { IsMetadata } from './rules.js';

export class CreatePaymentMethodRequestShape {
  @OneOf(bindableMethods)
  readonly type!: BindableMethod;

  @Rule('is required: { type, … }', (value) => value !== undefined)
  @IsConfirmation()
  readonly confirmation!: ConfirmationRequest;

  /** At most 16 entries, keys of at most 32 and values of at most 512 characters. */
  @Given()
  @IsMetadata(limits.metadataEntries.value)
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The body that saves a method without a payment. The public service's alone. */
export type CreatePaymentMethodRequest = Readonly<CreatePaymentMethodRequestShape>;

/** @throws PaymentInputError also where the profile does not have it */
export function parseBindingRequest(
  input: unknown,
  profile: Pick<ServiceProfile, 'name' | 'bindings'>,
): CreatePaymentMethodRequest {
  const request = parseRequest(CreatePaymentMethodRequestShape, input);
  mustBind(request.type, request.confirmation.type, profile);
  return request;
}

/** @throws PaymentInputError unless the profile saves this method, confirmed so, without a payment */
export function mustBind(
  type: BindableMethod,
  confirmation: ConfirmationRequest['type'],
  profile: Pick<ServiceProfile, 'name' | 'bindings'>,
): void {
  const possible = profile.bindings[type];
  if (possible === undefined)
    throw new PaymentInputError('type', notPartOf(profile, `saving ${type} without a payment`));
  if (!possible.includes(confirmation))
    throw new PaymentInputError('confirmation.type', `must be ${anyOf(possible)} to save ${type}`);
}
