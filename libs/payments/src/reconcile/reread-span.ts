import type { SpanStart } from '../telemetry/tracing.js';
import type { Claim } from './claim.js';

/**
 * The sweep's re-read goes on in the trace of the payment's create. A caller's is the caller's own, and links to that trace. Both link to
 * the requests that brought the notifications which they answer: many are one re-read.
 */
export function rereadSpan({ payment, seen }: Claim, asked: 'sweep' | 'refresh'): SpanStart {
  const { id, traceparent } = payment;
  const notified = seen.map((notification) => notification.traceparent ?? null);
  return {
    name: 'holdfast.reread',
    ...(asked === 'sweep' ? { goesOn: traceparent, links: notified } : { links: [traceparent, ...notified] }),
    attributes: { 'holdfast.payment_id': id, 'holdfast.asked': asked },
  };
}
