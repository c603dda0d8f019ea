import type {
  DealEvent,
  EventName,
  OrderEvent,
  PaymentEvent,
  PaymentMethodEvent,
  PayoutEvent,
  RefundEvent,
} from '../views/events.js';
import type { PaymentEventHandler } from './on-payment-event.js';

type Fits<Name extends EventName, Event> =
  ((event: Event) => void) extends PaymentEventHandler<Name> ? true : false;

/** Checked by the compiler: if one of these is wrong, this file does not compile. */
function fact<Fact extends boolean>(fits: Fact): Fact {
  return fits;
}

describe('a handler', () => {
  it('takes the event it is marked with', () => {
    const judged = [
      fact<Fits<'payment.succeeded', PaymentEvent>>(true),
      fact<Fits<'order.paid', OrderEvent>>(true),
      fact<Fits<'order.overpaid', OrderEvent>>(true),
      fact<Fits<'refund.succeeded', RefundEvent>>(true),
      fact<Fits<'refund.rejected', RefundEvent>>(true),
      fact<Fits<'payout.canceled', PayoutEvent>>(true),
      fact<Fits<'deal.closed', DealEvent>>(true),
      fact<Fits<'payment_method.active', PaymentMethodEvent>>(true),
      fact<Fits<'refund.succeeded' | 'payout.succeeded', RefundEvent | PayoutEvent>>(true),
    ];
    expect(judged).not.toContain(false);
  });

  it('that takes another event does not compile', () => {
    const judged = [
      fact<Fits<'payment.succeeded', RefundEvent>>(false),
      fact<Fits<'payment.succeeded', OrderEvent>>(false),
      fact<Fits<'order.paid', PaymentEvent>>(false),
      fact<Fits<'refund.succeeded', PaymentEvent>>(false),
      fact<Fits<'payout.succeeded', DealEvent>>(false),
      fact<Fits<'deal.closed', PayoutEvent>>(false),
      fact<Fits<'payment_method.active', PaymentEvent>>(false),
      fact<Fits<'refund.succeeded' | 'payout.succeeded', RefundEvent>>(false),
    ];
    expect(judged).not.toContain(true);
  });
});
