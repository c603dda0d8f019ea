import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { isHoldPolicy, type HoldPolicy } from '../common/hold-policy.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { OperationInProgressError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { nextHoldTry } from '../holds/hold-plan.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { ChooseHoldPolicy } from '../options/payments.options.js';
import type { ChangeEvent } from '../payment/change.js';
import { Ledger } from '../payment/ledger.js';
import type { LockedPayment } from '../payment/locks.js';
import { nameInLogs } from '../payment/name-in-logs.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { aboutPayment } from '../payment/record-event.js';
import { withFields } from '../schema/ledger-fields.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { StoreRules } from '../stores/store-rules.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { PaymentLease } from './payment-lease.js';

/** The host's function may call its own services, and must not keep the payment's lease meanwhile. */
const CHOICE_DEADLINE_MS = 10_000;

/** Characters of what the host's function threw. */
const LONGEST_FAULT = 500;

/** What to do with a hold now, and why if the policy itself could not say. */
export interface HoldChoice {
  /** `release`: it had been given up when that was chosen. */
  readonly policy: HoldPolicy | 'release';
  readonly fault: string | null;
}

/** Handles holds before they end (G12): called after each re-read, so that it always decides on the true state. */
@Injectable()
export class HoldKeeper {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly stores: StoreRegistry,
    private readonly rules: StoreRules,
    private readonly reader: PaymentReader,
    private readonly recorder: OperationRecorder,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Gets the policy if the hold is due: before the transaction, since the host's own code may take a while. */
  async choose(
    payment: PaymentsPaymentEntity,
    object: ServicePayment,
    lease: PaymentLease,
  ): Promise<HoldChoice | null> {
    if (object.status !== 'waiting_for_capture') return null;
    if (!isDue(payment, await this.database.businessTime())) return null;
    if (payment.supersededAt !== null) return { policy: 'release', fault: null };
    const policy = payment.holdPolicy ?? this.options.holdPolicy;
    if (typeof policy !== 'function') return this.#permitted(policy, payment);
    await lease.outlive(CHOICE_DEADLINE_MS);
    try {
      return await this.#permitted(await this.#ask(policy, payment), payment);
    } catch (error) {
      const fault = messageOf(error, LONGEST_FAULT);
      const { name, about } = await this.database.read((from) => nameInLogs(from, payment));
      this.#logger.error(
        `holds.policy failed for payment ${name}, which is flagged instead: ${fault}`,
        about,
      );
      return { policy: 'flag', fault };
    }
  }

  /** Actions that the app may not take for the store are left to a person. */
  async #permitted(policy: HoldPolicy, { storeId }: PaymentsPaymentEntity): Promise<HoldChoice> {
    if (policy === 'flag') return { policy, fault: null };
    const store = await this.stores.find({ store: storeId });
    if (this.rules.allows(store, policy)) return { policy, fault: null };
    return { policy: 'flag', fault: `partner.permissions does not name what a ${policy} needs` };
  }

  async #ask(choose: ChooseHoldPolicy, { id, storeId }: PaymentsPaymentEntity): Promise<HoldPolicy> {
    const payment = await this.reader.get(id, { store: storeId });
    const late = new AbortController();
    const timeout = delay(CHOICE_DEADLINE_MS, 'late', { signal: late.signal, ref: false }).catch(
      () => 'late',
    );
    const chosen: unknown = await Promise.race([choose(payment), timeout]).finally(() => late.abort());
    if (isHoldPolicy(chosen)) return chosen;
    throw new Error(
      chosen === 'late'
        ? `it returned no answer within ${CHOICE_DEADLINE_MS} ms`
        : 'it must return capture, cancel or flag',
    );
  }

  /**
   * Carries the choice out on a payment that is locked and has just been re-read: reported once, and tried again with growing
   * pauses until the hold is over. A capture or cancel of the merchant's own that is in progress takes precedence.
   */
  async keep(manager: EntityManager, { policy, fault }: HoldChoice, locked: LockedPayment): Promise<void> {
    const { payment, order } = locked;
    const now = await this.database.businessTime(manager);
    if (payment.status !== 'waiting_for_capture' || !isDue(payment, now)) return;
    if (payment.supersededAt !== null) return this.recorder.releaseSuperseded(manager, locked);
    // Wanted after all: the next look asks its policy.
    if (policy === 'release') return;
    const isFlagged = policy === 'flag';
    const events = payment.holdTries === 0 ? [this.#expiring(payment, now, { policy, fault })] : [];
    const tried = nextHoldTry(payment, now);
    await this.ledger.write(manager, {
      payment,
      order,
      after: withFields(payment, isFlagged ? { ...tried, holdDueAt: null } : tried),
      // From here on it waits for a person, and the operator's backlog counts from it.
      isDated: isFlagged,
      totals: null,
      events,
    });
    if (isFlagged) return;
    try {
      await this.recorder.recordFinish(manager, locked, { kind: policy, caller: null });
    } catch (error) {
      if (!(error instanceof OperationInProgressError)) throw error;
    }
  }

  /** A hold that no re-read can handle, since its store is disconnected: reported once, and still due. */
  async reportUnreachable(manager: EntityManager, { payment, order }: LockedPayment): Promise<void> {
    const now = await this.database.businessTime(manager);
    if (payment.status !== 'waiting_for_capture' || payment.holdTries > 0 || !isDue(payment, now)) return;
    const choice = { policy: 'flag', fault: 'its store has to be connected again first' } as const;
    const events = [this.#expiring(payment, now, choice)];
    const after = withFields(payment, { holdTries: 1 });
    await this.ledger.write(manager, { payment, order, after, totals: null, events });
  }

  #expiring(payment: PaymentsPaymentEntity, now: Date, { policy, fault }: HoldChoice): ChangeEvent {
    const { holdExpiresAt } = payment;
    const timeLeftMs = holdExpiresAt === null ? null : holdExpiresAt.getTime() - now.getTime();
    const end = holdExpiresAt?.toISOString() ?? 'at an unknown time';
    return {
      ...aboutPayment(payment),
      name: 'hold.expiring',
      cause: 'sweep',
      evidence: { expiresAt: holdExpiresAt, timeLeftMs, policy, fault },
      ...(policy === 'flag' && {
        notice: `The hold of payment ${payment.id} ends ${end} and waits for a person: ${fault ?? 'capture or cancel it'}.`,
      }),
    };
  }
}

function isDue({ holdDueAt }: PaymentsPaymentEntity, now: Date): boolean {
  return holdDueAt !== null && holdDueAt <= now;
}
