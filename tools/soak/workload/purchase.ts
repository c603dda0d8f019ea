import {
  formatAmount,
  parseAmount,
  receiptTotal,
  type Amount,
  type CreatePaymentInput,
  type ReceiptInput,
  type StoreScope,
} from '@holdfast/payments';
import { ControlError, type Sandbox } from '@holdfast/sandbox';
import { setTimeout as delay } from 'node:timers/promises';

import { CAPTURE_IN_HANDLER, ORDER, PAYS_TWICE, REFUND_IN_HANDLER, REFUND_KEY } from '../shop/names.js';
import type { Tally } from '../tally.js';
import type { PurchasePlan, RefundPlan } from './purchase-plan.js';
import { offsetsOf, receiptOf, receiptOfPartOf, receiptOfPiece } from './receipts.js';
import type { PaymentAnswer, ShopClient } from './shop-client.js';
import { Wishes } from './wishes.js';

/** What a register does with the next receipt; a slow one answers when it is late already. */
const courses = {
  refuses: { status: 'canceled' },
  'is slow': { status: 'succeeded', ms: 30 * 60_000 },
  'refuses late': { status: 'canceled', ms: 30 * 60_000 },
} as const;

const MOST_SETTLEMENTS = 5;
const PAUSE_MS = 500;
const RELOAD_MS = 150;
/** More re-reads than a payment ever has. */
const MOST_TIMES = 1_000_000;

/** Carries one plan out. Whatever fails on the way is left as it is: what matters is that the books agree in the end. */
export class Purchase {
  readonly #scope: StoreScope;
  readonly wishes: Wishes;
  /** What the staff gave refunds of. */
  #paid: PaymentAnswer | null = null;

  constructor(
    private readonly plan: PurchasePlan,
    private readonly shop: ShopClient,
    private readonly sandbox: Sandbox,
    stores: readonly string[],
    private readonly tally: Tally,
  ) {
    this.wishes = new Wishes(plan);
    const store = plan.store === null ? undefined : stores[plan.store];
    this.#scope = store === undefined ? {} : { store };
  }

  /** Resolves when buyer and shop are done, to asking for the same again some time later; null: nobody does. */
  async run(): Promise<(() => Promise<void>) | null> {
    const { plan } = this;
    const first = await this.#order({ clicks: plan.clicks, amountMinor: plan.amountMinor, replace: false });
    const second =
      plan.changedTo === null
        ? null
        : await this.#order({ clicks: 1, amountMinor: plan.changedTo, replace: true });
    const payments = [first, second].filter((payment) => payment !== null);
    if (plan.rereadsHang) for (const payment of payments) this.#hang(payment);
    const used = this.#used(payments);
    for (const payment of used) this.#pay(payment);
    await Promise.all(used.map((payment) => this.#follow(payment)));
    const { againAfterMs, outcome, changedTo } = plan;
    if (againAfterMs === null || outcome !== 'succeed' || changedTo !== null) return null;
    const paid = new Set(used.map(({ serviceId }) => serviceId));
    return async () => {
      await this.shop.pause(againAfterMs);
      await Promise.all([this.#buyAgain(paid), this.#refundAgain()]);
    };
  }

  /** The shop may have forgotten the payment. */
  async #buyAgain(paid: Set<string | null>): Promise<void> {
    const { amountMinor } = this.plan;
    const again = await this.#order({ clicks: 1, amountMinor, replace: false });
    if (again === null || paid.has(again.serviceId)) return;
    paid.add(again.serviceId);
    this.#pay(again);
  }

  /** Likewise a refund. One that is there is the answer. */
  async #refundAgain(): Promise<void> {
    for (const [index, refund] of this.plan.refunds.entries())
      if (this.#paid !== null && refund.by === 'shop')
        await this.#askForRefund(this.#paid, refund, `refund-${index}`);
  }

  async #order(order: {
    clicks: number;
    amountMinor: number;
    replace: boolean;
  }): Promise<PaymentAnswer | null> {
    const { reference, finish, holdPolicy, bySbp, refundedByHandler } = this.plan;
    const isSbp = bySbp && finish === null && this.#scope.store === undefined;
    const input: CreatePaymentInput = {
      ...this.#scope,
      order: { reference },
      amount: formatAmount(order.amountMinor),
      returnUrl: 'https://shop.example/return',
      receipt: receiptOf(this.plan, order.amountMinor),
      ...(isSbp && { method: 'sbp' }),
      ...(finish === null ? { capture: true } : { capture: false, holdPolicy }),
      metadata: {
        [ORDER]: reference,
        ...(this.plan.pays === 'both' && this.plan.changedTo !== null && { [PAYS_TWICE]: 'yes' }),
        ...(finish === 'by the handler' && { [CAPTURE_IN_HANDLER]: 'yes' }),
        ...(refundedByHandler && { [REFUND_IN_HANDLER]: 'yes' }),
      },
      replace: order.replace,
    };
    const answers = await together(order.clicks, () => this.shop.post('/payments', input));
    const answer = answers.find((one) => one !== null) ?? null;
    if (answer === null) this.wishes.isDoubtful = true;
    else if (answer.serviceId !== null) this.wishes.offered(answer.serviceId, order.amountMinor);
    return answer;
  }

  /** By the amount, because of two payments the cart may be another. */
  #receiptOf(amount: PaymentAnswer['amount']): ReceiptInput {
    return receiptOf(this.plan, minorOf(amount));
  }

  #used(payments: readonly PaymentAnswer[]): readonly PaymentAnswer[] {
    const { pays } = this.plan;
    if (pays === 'both') return payments;
    return payments.slice(...(pays === 'newest' ? [-1] : [0, 1]));
  }

  #pay({ serviceId }: PaymentAnswer): void {
    const { outcome, finish, register } = this.plan;
    unlessImpossible(() => {
      const { status } = this.sandbox.payments.get(serviceId ?? '');
      const sendsOne = status === 'pending' && outcome === 'succeed' && finish === null;
      // At once, so that no other receipt comes between.
      if (sendsOne && register !== 'registers') this.sandbox.receipts.next(courses[register]);
      this.sandbox.payments.pay(serviceId ?? '', { outcome });
    });
  }

  /** Until the faults are removed: with the next outage, or at the end of the faults. */
  #hang({ serviceId }: PaymentAnswer): void {
    if (serviceId === null) return;
    this.sandbox.faults.order({ on: 'read', object: serviceId, fault: 'stall', times: MOST_TIMES });
    this.tally.hangingPayments += 1;
  }

  async #follow(payment: PaymentAnswer): Promise<void> {
    await Promise.all([this.#return(payment), this.#serve(payment)]);
  }

  /** The buyer is back, and looks whether anything has changed. */
  async #return({ id }: PaymentAnswer): Promise<void> {
    const load = () => this.shop.post(`/payments/${id}/return`, this.#scope);
    await together(this.plan.returns, load);
    for (let reloads = 0; reloads < this.plan.reloads; reloads += 1) {
      await load();
      await delay(RELOAD_MS);
    }
  }

  /** The shop does its part meanwhile. */
  async #serve({ id }: PaymentAnswer): Promise<void> {
    const { plan } = this;
    if (plan.outcome !== 'succeed') return;
    if (plan.finish !== null) {
      const held = await this.shop.until(id, this.#scope, ['waiting_for_capture', 'succeeded', 'canceled']);
      if (held?.status === 'waiting_for_capture') await this.#finish(held);
    }
    if (plan.refunds.length === 0 && plan.handsOver === null) return;
    const paid = await this.shop.until(id, this.#scope, ['succeeded', 'canceled']);
    if (paid?.status !== 'succeeded') return;
    this.#paid = paid;
    if (plan.refundsAtOnce) await Promise.all([this.#refund(paid), this.#handOver(paid)]);
    else {
      await this.#refund(paid);
      await this.#handOver(paid);
    }
  }

  async #handOver({ id, amount, capturedAmount }: PaymentAnswer): Promise<void> {
    const { handsOver, clicks } = this.plan;
    if (handsOver === 'all') await this.#settle(id, clicks);
    if (handsOver !== 'in parcels') return;
    const whole = this.#receiptOf(amount);
    const captured = receiptOfPartOf(whole, formatAmount(minorOf(capturedAmount))) ?? whole;
    for (const offset of offsetsOf(captured))
      await together(clicks, () => this.shop.post(`/payments/${id}/receipts`, { ...this.#scope, ...offset }));
  }

  /** Refused while the payment's own receipts, which follow it, are on their way. */
  async #settle(id: string, clicks: number): Promise<void> {
    for (let tries = 0; tries < MOST_SETTLEMENTS; tries += 1) {
      const path = `/payments/${id}/settlement`;
      const answers = await together(clicks, () => this.shop.post(path, this.#scope));
      if (answers.some((answer) => answer !== null)) return;
      await delay(PAUSE_MS);
    }
  }

  async #finish(held: PaymentAnswer): Promise<void> {
    const { clicks, captureMinor } = this.plan;
    const heldMinor = minorOf(held.amount);
    switch (this.plan.finish) {
      case 'capture':
        await this.#capture(held, heldMinor, clicks);
        break;
      case 'capture a part':
        // The second payment of a changed cart may be for less.
        await this.#capture(held, Math.min(captureMinor, heldMinor), 1);
        break;
      case 'cancel':
        await this.#cancel(held, clicks);
        break;
      case 'race':
        await Promise.all([this.#capture(held, heldMinor, 1), this.#cancel(held, 1)]);
        break;
      case 'by the handler':
      case 'left':
      case null:
        break;
    }
  }

  async #capture(held: PaymentAnswer, amountMinor: number, clicks: number): Promise<void> {
    const part = amountMinor === minorOf(held.amount) ? undefined : formatAmount(amountMinor);
    const ask = { serviceId: held.serviceId ?? '', amountMinor, told: [] as readonly string[] };
    this.wishes.captures.push(ask);
    const body = {
      ...this.#scope,
      amount: part,
      receipt: part && receiptOfPartOf(this.#receiptOf(held.amount), part),
    };
    ask.told = statusesOf(await together(clicks, () => this.shop.post(`/payments/${held.id}/capture`, body)));
  }

  async #cancel(held: PaymentAnswer, clicks: number): Promise<void> {
    const ask = {
      serviceId: held.serviceId ?? '',
      amountMinor: minorOf(held.amount),
      told: [] as readonly string[],
    };
    this.wishes.cancels.push(ask);
    const path = `/payments/${held.id}/cancel`;
    ask.told = statusesOf(await together(clicks, () => this.shop.post(path, this.#scope)));
  }

  async #refund(paid: PaymentAnswer): Promise<void> {
    const { refunds, refundsAtOnce } = this.plan;
    const refund = (plan: RefundPlan, index: number) => this.#refundOnce(paid, plan, `refund-${index}`);
    if (refundsAtOnce) await Promise.all(refunds.map(refund));
    else for (const [index, plan] of refunds.entries()) await refund(plan, index);
  }

  async #refundOnce(paid: PaymentAnswer, plan: RefundPlan, refundKey: string): Promise<void> {
    const { sandbox } = this;
    const { course } = plan;
    if (course !== 'at once') sandbox.refunds.next({ status: course });
    if (plan.by === 'shop') return this.#askForRefund(paid, plan, refundKey);
    const { amount } = this.#partOf(paid, plan);
    this.#wishRefund(paid, null, amount);
    unlessImpossible(() => sandbox.refunds.make(paid.serviceId ?? '', amount.value));
  }

  async #askForRefund(paid: PaymentAnswer, plan: RefundPlan, refundKey: string): Promise<void> {
    const part = this.#partOf(paid, plan);
    const ask = this.#wishRefund(paid, refundKey, part.amount);
    const terms = { ...part, refundKey, metadata: { [REFUND_KEY]: refundKey } };
    const path = `/payments/${paid.id}/refunds`;
    ask.told = statusesOf(
      await together(plan.clicks, () => this.shop.post(path, { ...this.#scope, ...terms })),
    );
  }

  #wishRefund(paid: PaymentAnswer, refundKey: string | null, amount: Amount) {
    const told: readonly string[] = [];
    const ask = { serviceId: paid.serviceId ?? '', refundKey, amountMinor: parseAmount(amount), told };
    this.wishes.refunds.push(ask);
    return ask;
  }

  /** What was captured may be less than the plan asks for. */
  #partOf(paid: PaymentAnswer, plan: RefundPlan): { amount: Amount; receipt: ReceiptInput | undefined } {
    const capturedMinor = minorOf(paid.capturedAmount);
    const whole = this.#receiptOf(paid.amount);
    const captured = receiptOfPartOf(whole, formatAmount(capturedMinor)) ?? whole;
    const amount = plan.ofLine
      ? receiptTotal(receiptOfPiece(captured))
      : formatAmount(Math.min(plan.amountMinor, capturedMinor));
    const isWhole = parseAmount(amount) === capturedMinor;
    const receipt = plan.ofLine && !isWhole ? receiptOfPiece(captured) : receiptOfPartOf(captured, amount);
    return { amount, receipt };
  }
}

function minorOf({ value }: { readonly value: string }): number {
  return parseAmount({ value, currency: 'RUB' });
}

function statusesOf(answers: readonly (PaymentAnswer | null)[]): string[] {
  return answers.flatMap((answer) => (answer === null ? [] : [answer.status]));
}

function together<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, act));
}

/** A buyer or a person in the Merchant Profile may come too late. */
function unlessImpossible(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}
