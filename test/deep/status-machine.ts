import { PaymentsError, PaymentsOperator, type PaymentStatus } from '@holdfast/payments';
import { ControlError, type WirePayment } from '@holdfast/sandbox';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { ForeignNotifications } from '../../libs/payments/src/notifications/foreign-notifications.js';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { doAll } from '../support/one-by-one.js';
import { reread, sendNotification, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { rereadNext } from '../support/sweep.js';

export interface Transition {
  readonly name: string;
  readonly from: PaymentStatus | null;
  readonly to: PaymentStatus;
}

/** What is committed about the payment at one moment. */
interface Committed {
  readonly status: PaymentStatus;
  readonly captured: number;
  readonly paid: number;
  readonly transitions: readonly Transition[];
  readonly effects: readonly string[];
}

/** One payment, and everyone who acts on it. Whatever overlaps with a re-read whose answer is held back is not waited for. */
export class Course {
  readonly #underWay: Promise<unknown>[] = [];
  /** Every notification that the service had reason to send. */
  readonly #notifications: unknown[] = [];
  readonly #theirs = new Set<string>();

  constructor(
    private readonly bench: Bench,
    private readonly shops: readonly PaymentsHost[],
    readonly paymentId: string,
    private readonly mark: string,
  ) {
    this.look();
  }

  get answerIsHeldBack(): boolean {
    return this.#underWay.length > 0;
  }

  /** The service's own payment; undefined if it has not received the create. */
  get theirs(): WirePayment | undefined {
    const { payments } = this.bench.sandbox;
    return payments.list().find(({ metadata }) => metadata['holdfast_payment'] === this.mark);
  }

  /** Every status that the service's payment has had. */
  get theirStatuses(): ReadonlySet<string> {
    return this.#theirs;
  }

  /** Follows the service's books; called after each thing that happens. */
  look(): void {
    const { theirs } = this;
    if (!theirs || this.#theirs.has(theirs.status)) return;
    this.#theirs.add(theirs.status);
    if (theirs.status !== 'pending')
      this.#notifications.push({ type: 'notification', event: `payment.${theirs.status}`, object: theirs });
  }

  buyer(outcome: 'succeed' | 'decline'): void {
    const { theirs } = this;
    if (theirs) unlessImpossible(() => this.bench.sandbox.payments.pay(theirs.id, { outcome }));
  }

  async inMerchantProfile(finish: 'capture' | 'cancel'): Promise<void> {
    const { theirs } = this;
    if (!theirs) return;
    const path = finish === 'capture' ? `/v3/${theirs.id}/capture` : `/v3/payments/${theirs.id}/cancel`;
    const { shopId, secretKey } = testAccount;
    await fetch(this.bench.sandbox.url + path, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`,
        'Idempotence-Key': crypto.randomUUID(),
        'Content-Type': 'application/json',
      },
      body: '{}',
    });
  }

  /** A genuine notification, the first or any later time. */
  async notify(shop: number, which: number): Promise<void> {
    const body = this.#notifications[which % Math.max(this.#notifications.length, 1)];
    if (body !== undefined) await this.#send(shop, body);
  }

  async forge(shop: number, event: string, status: string): Promise<void> {
    const object = { id: this.theirs?.id ?? 'unheard-of', status, paid: true, amount: { value: '1.00' } };
    await this.#send(shop, { type: 'notification', event, object });
  }

  shop(shop: number, finish: 'capture' | 'cancel' | 'refresh'): Promise<void> {
    return this.#act(() => this.#shop(shop).payments[finish](this.paymentId));
  }

  /** A re-read that the service has answered now, and whose answer is on its way until {@link answersArrive}. */
  async returnWithAnswerHeldBack(shop: number): Promise<void> {
    const { sandbox } = this.bench;
    const reads = () => sandbox.ledger.requestCount({ endpoint: 'read' });
    const before = reads();
    sandbox.faults.order({ on: 'read', fault: 'stall_after_commit' });
    let isOver = false;
    const refreshed = unlessRefused(() => reread(this.#shop(shop), this.paymentId));
    this.#underWay.push(refreshed.finally(() => (isOver = true)));
    await eventually(
      () => Promise.resolve(isOver || reads() > before),
      (isClear) => isClear,
    );
    // Before it has an id nothing can be read, so nothing must be held back later either.
    if (reads() === before) await this.answersArrive();
  }

  /** Ends the lease of the payment's worker, as a pause that was too long would. */
  async leaseRunsOut(): Promise<void> {
    await this.#query(
      'UPDATE payments_due SET lease_until = NULL, ready_at = now() WHERE payment_id = $1 AND lease_until IS NOT NULL',
    );
  }

  async answersArrive(): Promise<void> {
    this.bench.sandbox.faults.clear();
    await Promise.all(this.#underWay.splice(0));
  }

  async timePasses(ms: number): Promise<void> {
    await this.bench.sandbox.clock.advance(ms);
  }

  /** Everything that is due now and that nobody works on. */
  sweep(shop: number): Promise<void> {
    const { app } = this.#shop(shop);
    return unlessRefused(async () => {
      while (await rereadNext(app));
      await doAll(app.get(ForeignNotifications).work);
      await doAll(app.get(Deliverer).work);
    });
  }

  /** A person on call has every parked delivery made again. */
  async retryAll(shop: number): Promise<void> {
    await this.#shop(shop).app.get(PaymentsOperator).retryAll({ by: 'anna' });
  }

  async committed(): Promise<Committed> {
    const [committed] = await this.#query<Committed>(
      `SELECT payment.status, payment.captured_minor::int AS captured, orders.paid_minor::int AS paid,
         (SELECT json_agg(json_build_object('name', name, 'from', from_status, 'to', to_status) ORDER BY id)
          FROM payments_events WHERE subject_id = $1::text AND to_status IS NOT NULL) AS transitions,
         (SELECT COALESCE(json_agg(event ORDER BY event), '[]') FROM effects WHERE payment_id = $1::uuid) AS effects
       FROM payments_payments payment JOIN payments_orders orders ON orders.id = payment.order_id
       WHERE payment.id = $1::uuid`,
    );
    if (!committed) throw new Error('The payment is gone.');
    return committed;
  }

  /** Nothing is on its way, due or undelivered. */
  async isQuiet(): Promise<boolean> {
    const open = await this.#query(
      `SELECT 1 FROM payments_deliveries WHERE sequence = $1::text AND done_at IS NULL
       UNION ALL SELECT 1 FROM payments_operations
       WHERE payment_id = $1::uuid AND (outcome IS NULL OR outcome = 'unknown')
       UNION ALL SELECT 1 FROM payments_notifications notification
       JOIN payments_payments payment ON payment.service_id = notification.object_id
       WHERE payment.id = $1::uuid AND count > handled_count`,
    );
    return open.length === 0;
  }

  /** While an answer is held back its payment is leased, and other workers may have to wait for it. */
  async #act(act: () => Promise<unknown>): Promise<void> {
    const done = unlessRefused(act);
    if (this.answerIsHeldBack) this.#underWay.push(done);
    else await done;
  }

  async #send(shop: number, body: unknown): Promise<void> {
    const { status } = await sendNotification(this.#shop(shop), body);
    if (status !== 200) throw new Error(`The notification was answered ${status}.`);
  }

  #shop(shop: number): PaymentsHost {
    const host = this.shops[shop];
    if (!host) throw new Error(`There is no shop ${shop}.`);
    return host;
  }

  #query<Row extends object>(sql: string): Promise<Row[]> {
    return this.#shop(0).dataSource.query<Row[]>(sql, [this.paymentId]);
  }
}

function unlessImpossible(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}

/** A refusal with an error of its own is a right answer; anything else is not. */
async function unlessRefused(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
  }
}
