import type { EntityManager } from 'typeorm';
import type { EventName, EventOf, PaymentEventName } from '../views/events.js';
import { markMethod } from './marked-methods.js';
import type { EffectRecorder } from './on-payment-effect.js';

/** What a handler gets besides its event. */
export interface HandlerContext {
  /** Writes through it take effect exactly once: it is the transaction in which the delivery is marked done. */
  readonly manager: EntityManager;
  /** The same for every attempt of this handler at this event: the key for whatever it does outside the database. */
  readonly effectKey: string;
  /** 1 for the first run. */
  readonly attempt: number;
  /** What is to be done outside the database once this run is committed. */
  readonly effects: EffectRecorder;
}

/** The method that {@link OnPaymentEvent} marks. */
export type PaymentEventHandler<Name extends EventName = PaymentEventName> = (
  event: EventOf<Name>,
  context: HandlerContext,
) => Promise<void> | void;

export interface HandlerMark {
  readonly event: EventName;
  readonly id: string;
}

export const HANDLER_MARK = 'holdfast:payment-event-handler';

/**
 * Calls this method of a provider for every such event, in one transaction with the delivery's mark: what it writes
 * through `context.manager` happens exactly once. A run that throws or hangs is repeated with growing delays, then
 * parked. Events of one payment come in their order. The compiler checks that the method takes this event.
 *
 * @param event one of the service's, or of our own; the application does not start where its `solution` does not have it
 * @param options.id names the handler for good, e.g. `orders.mark-paid`: it outlives renames of class and method
 * @example
 * class OrderHandlers {@OnPaymentEvent('order.paid', { id: 'orders.mark-paid' })
 *   async markPaid({ orderReference }: OrderEvent, { manager }: HandlerContext) {
 *     const { affected } = await manager.update(Order, { reference: orderReference }, { paidAt: new Date() });
 *     if (affected !== 1) throw new Error(`There is no order ${orderReference}`); // run again
 *   }
 * }
 */
export function OnPaymentEvent<Name extends EventName>(event: Name, options: { id: string }) {
  // JavaScript may leave the options out: the start says so, with the method's name.
  const given: Partial<typeof options> | undefined = options;
  const mark: HandlerMark = { event, id: given?.id ?? '' };
  return <T extends PaymentEventHandler<Name>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => markMethod(HANDLER_MARK, mark, target, key, descriptor);
}
