import type { SpanStart } from '../telemetry/tracing.js';
import type { DeliveryClaim } from './delivery-claims.js';
import { EFFECT_EVENT } from './effect-event.js';

/** A run goes on in the trace of the payment's create, whoever runs beside it. */
export function deliverySpan({ handlerId, attempts, event, payment }: DeliveryClaim): SpanStart {
  return {
    name: event.name === EFFECT_EVENT ? 'holdfast.effect' : 'holdfast.handler',
    goesOn: payment?.traceparent ?? null,
    attributes: {
      'holdfast.handler': handlerId,
      'holdfast.event': event.name,
      'holdfast.attempt': attempts,
      ...(payment && { 'holdfast.payment_id': payment.id }),
    },
  };
}
