import { OnPaymentEvent, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { Injectable, type Type } from '@nestjs/common';

import { epochMs } from '../stage/call.js';
import { INSERT_EFFECT } from './statements.js';

/** The handlers of a host. */
export type HandlerSet = 'none' | 'one' | 'two' | 'one of two hangs';

/** What the handlers of this process have done. */
export class Runs {
  firstAt: number | null = null;
  count = 0;
  readonly #waiting = new Map<string, () => void>();
  readonly #handled = new Set<string>();

  note(paymentId: string): void {
    this.firstAt ??= epochMs();
    this.count += 1;
    const wake = this.#waiting.get(paymentId);
    if (wake) this.#waiting.delete(paymentId);
    else this.#handled.add(paymentId);
    wake?.();
  }

  /** Resolves as soon as a handler has run for this payment; its commit follows. */
  async of(paymentId: string): Promise<void> {
    if (this.#handled.delete(paymentId)) return;
    await new Promise<void>((resolve) => this.#waiting.set(paymentId, resolve));
  }

  forget(): void {
    this.firstAt = null;
    this.count = 0;
    this.#handled.clear();
  }
}

@Injectable()
class InsertHandler {
  constructor(private readonly runs: Runs) {}

  @OnPaymentEvent('payment.succeeded', { id: 'bench.first' })
  async succeeded({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    this.runs.firstAt ??= epochMs();
    await manager.query(INSERT_EFFECT, ['first', payment.id]);
    this.runs.note(payment.id);
  }
}

@Injectable()
class SecondHandler {
  @OnPaymentEvent('payment.succeeded', { id: 'bench.second' })
  async succeeded({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query(INSERT_EFFECT, ['second', payment.id]);
  }
}

@Injectable()
class HangingHandler {
  /** Until its deadline ends it. */
  @OnPaymentEvent('payment.succeeded', { id: 'bench.second' })
  async succeeded(): Promise<void> {
    await new Promise(() => undefined);
  }
}

export const handlerSets: Readonly<Record<HandlerSet, readonly Type[]>> = {
  none: [],
  one: [InsertHandler],
  two: [InsertHandler, SecondHandler],
  'one of two hangs': [InsertHandler, HangingHandler],
};
