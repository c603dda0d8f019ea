import { markMethod } from './marked-methods.js';

/** What a handler records to be done outside the database. */
export interface EffectRecorder {
  /**
   * Records in the handler's transaction that the method marked `@OnPaymentEffect(id)` is to be run with this data: not at all if the
   * handler throws, at least once if it returns. The data is erased once the method has returned.
   *
   * @param id of a method that any process of this application has
   * @param data JSON in an object, at most 16,384 bytes. It is stored as it is: no secret, token or card data
   * @param options.key tells several effects of one id by one run apart, e.g. the buyer's e-mail and the shop's. Default: none. The
   * same id and key again with the same data does nothing
   * @throws PaymentInputError for an id that no process has registered, for other data, and for other data under the same id and key
   * @example await effects.record('orders.thank-you', { orderReference: order.reference });
   */
  record(id: string, data: object, options?: { readonly key?: string }): Promise<void>;
}

/** What an effect's method gets besides its data. */
export interface EffectContext {
  /** The same for every run of this effect, and for no other effect: the other side's idempotence key. */
  readonly effectKey: string;
  /** 1 for the first run, and again for the first after an operator's retry. */
  readonly attempt: number;
  /** Aborted after `handlerTimeoutMs`, when the run counts as failed: pass it to whatever takes a signal. */
  readonly signal: AbortSignal;
}

/** The method that {@link OnPaymentEffect} marks; `Data` is what handlers record for it. */
export type PaymentEffectMethod<Data = never> = (data: Data, context: EffectContext) => Promise<void> | void;

export const EFFECT_MARK = 'holdfast:payment-effect';

export interface EffectMark {
  readonly id: string;
}

/**
 * Calls this method of a provider for every effect that a handler recorded under this id, after the handler's transaction is
 * committed: at least once, without a transaction, and in no order. A run that throws or hangs is repeated with growing delays, then
 * parked, as a handler's is.
 *
 * @param id names the effect for good, e.g. `orders.thank-you`; no handler may have it
 * @example
 * class Thanks {@OnPaymentEffect('orders.thank-you')
 *   async thank({ to }: { to: string }, { effectKey }: EffectContext) {
 *     await mails.send({ to, messageId: `<${effectKey}@shop.example>`, text: 'Thank you!' });
 *   }
 * }
 */
export function OnPaymentEffect(id: string) {
  // JavaScript may leave the id out: the start says so, with the method's name.
  const given: string | undefined = id;
  const mark: EffectMark = { id: given ?? '' };
  return <T extends PaymentEffectMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => markMethod(EFFECT_MARK, mark, target, key, descriptor);
}
