import { limits } from '../../api/limits.js';
import { bindableMethods, type BindableMethod } from '../../api/method-rules.js';
import { mustBind, type CreatePaymentMethodRequest } from '../../api/requests/create-payment-method.js';
import { parseRequest } from '../../api/requests/parse-request.js';
import { IsMetadata } from '../../api/requests/rules.js';
import type { ServiceProfile } from '../../api/service-profile.js';
import type { Metadata } from '../../common/metadata.js';
import { isText } from '../../common/text.js';
import { Given, OneOf, Rule } from '../../common/validation.js';
import { type ConfirmationInput, confirmationToWire, IsConfirmationInput } from './confirmation.input.js';

class BindInputShape {
  /** Your own name for this binding, 1 to 64 characters: the same key again within a day is the same binding. */
  @Rule('is required: your own name for this binding, a string of 1 to 64 characters', (value) =>
    isText(value, 1, 64),
  )
  readonly bindKey!: string;

  @OneOf(bindableMethods)
  readonly type!: BindableMethod;

  /** A card by `redirect`; SBP by `redirect` or `qr`. The buyer has an hour. */
  @IsConfirmationInput()
  readonly confirmation!: ConfirmationInput;

  /** At most 16 entries, keys of at most 32 and values of at most 512 characters. */
  @Given()
  @IsMetadata(limits.metadataEntries.value)
  readonly metadata?: Metadata;
}

/** The input of {@link SavedMethods.bind}. */
export type BindInput = Readonly<BindInputShape>;

/** @throws PaymentInputError naming the field by its path and the rule */
export function parseBindInput(
  input: BindInput,
  profile: ServiceProfile,
): { readonly bindKey: string; readonly request: CreatePaymentMethodRequest } {
  const { bindKey, type, confirmation, metadata } = parseRequest(BindInputShape, input);
  mustBind(type, confirmation.type, profile);
  const request = { type, confirmation: confirmationToWire(confirmation) };
  return { bindKey, request: metadata === undefined ? request : { ...request, metadata } };
}
