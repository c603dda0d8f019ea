import {
  OnPaymentEvent,
  PaymentsService,
  type HandlerContext,
  type PaymentEvent,
  type RefundEvent,
} from '@holdfast/payments';
import { Injectable, type Type } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';

import { epochMs } from '../stage/call.js';
import { INSERT_EFFECT } from './statements.js';

/** The handlers of a host. */
export type HandlerSet = 'none' | 'one' | 'two' | 'one of two hangs' | 'refunds and works on' | 'a shop’s';

/** What the handlers of this process have done. */
export class Runs {
  firstAt: number | null = null;
  count = 0;
  /** How long the refunding handler works on, by the order's reference. */
  readonly workMs = new Map<string, number>();
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

/** Gives the money of some orders back in its own transaction, and holds their locks as long as it works on. */
@Injectable()
class RefundingHandler {
  constructor(
    private readonly runs: Runs,
    private readonly payments: PaymentsService,
  ) {}

  @OnPaymentEvent('payment.succeeded', { id: 'bench.refunding' })
  async succeeded({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    const workMs = this.runs.workMs.get(payment.orderReference);
    if (workMs === undefined) return;
    await this.payments.refund(payment.id, { refundKey: 'handler', manager });
    this.runs.note(payment.id);
    await delay(workMs);
  }
}

/** Captures every hold and refunds some orders, in its own transactions, and notes a payment with its last event. */
@Injectable()
class ShopHandlers {
  constructor(
    private readonly runs: Runs,
    private readonly payments: PaymentsService,
  ) {}

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'bench.held' })
  async held({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await this.payments.capture(payment.id, { manager });
  }

  @OnPaymentEvent('payment.succeeded', { id: 'bench.succeeded' })
  async succeeded({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query(INSERT_EFFECT, ['succeeded', payment.id]);
    if (payment.orderReference.startsWith('refunded-'))
      await this.payments.refund(payment.id, { refundKey: 'handler', manager });
    else this.runs.note(payment.id);
  }

  @OnPaymentEvent('payment.canceled', { id: 'bench.canceled' })
  async canceled({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query(INSERT_EFFECT, ['canceled', payment.id]);
    this.runs.note(payment.id);
  }

  @OnPaymentEvent('refund.succeeded', { id: 'bench.refunded' })
  async refunded({ payment }: RefundEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query(INSERT_EFFECT, ['refunded', payment.id]);
    this.runs.note(payment.id);
  }
}

export const handlerSets: Readonly<Record<HandlerSet, readonly Type[]>> = {
  none: [],
  one: [InsertHandler],
  two: [InsertHandler, SecondHandler],
  'one of two hangs': [InsertHandler, HangingHandler],
  'refunds and works on': [RefundingHandler],
  'a shop’s': [ShopHandlers],
};
