import { Inject, Injectable } from '@nestjs/common';
import { CreateCalls } from '../calls/create-calls.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Payment } from '../views/payment.view.js';
import { parseCardPaymentInput, type CreateCardPaymentInput } from './card-payment.input.js';

/**
 * Takes payments by card data entered on the merchant's side, and by mobile wallets' cryptograms. Only available if the module is
 * registered with `cardData: true`; it requires a PCI DSS compliance certificate.
 *
 * Neither is ever stored: they live as long as one call. So a create whose answer was lost is never sent again. It is looked up
 * in the service's list, and if no list can tell, left to the operator as a `payment.anomaly`.
 */
@Injectable()
export class CardPaymentsService {
  /** @internal */
  constructor(
    private readonly creates: CreateCalls,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    // It is never sent twice: a lost answer could not be recovered, and the order would accept no other payment.
    if (options.profile.metadataKey === null)
      throw new PaymentsConfigurationError([
        'cardData: true needs a profile with a metadataKey: a create whose answer was lost can only be found by our id in its metadata',
      ]);
  }

  /**
   * Creates a payment for an order. By card it comes back `pending` with the 3-D Secure page as its `confirmationUrl` if the bank
   * requires it, otherwise, as by cryptogram, `succeeded`, `waiting_for_capture` or `canceled` at once. A second call while the
   * first is in progress waits for it. With `replace: true` a payment that still waits on its 3-D Secure page is given up for the
   * card entered now.
   *
   * @throws PaymentInputError for a field that breaks a rule, without its value; nothing was stored or sent
   * @throws PaymentOutcomeUnknownError if the service gave no answer in time. The card is not charged twice: further calls for
   * the order throw the same until it is found out
   * @throws OrderAlreadyPaidError, OrderAmountExceededError, OrderPaymentOpenError, OperationInProgressError and
   * PaymentRejectedError as {@link PaymentsService.create} does
   */
  async create(input: CreateCardPaymentInput): Promise<Payment> {
    const { intent, data } = parseCardPaymentInput(input, this.options);
    return this.creates.open(intent, data);
  }
}
