/**
 * The base class of every error of this module. `code` is stable and meant for code; `message` is meant for a person and says
 * what to do next. No error contains a credential, a token or card data.
 */
export abstract class PaymentsError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** An argument breaks a rule. Thrown before any row is written or any request is sent. */
export class PaymentInputError extends PaymentsError {
  readonly code = 'payment_input';

  constructor(
    /** Path of the field, e.g. `amount.value`. */
    readonly field: string,
    /** The rule it breaks, in words. */
    readonly rule: string,
  ) {
    super(`${field}: ${rule}`);
  }
}
