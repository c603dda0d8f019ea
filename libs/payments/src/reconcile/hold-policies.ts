import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServicePayment } from '../api/service-payment.js';
import { isHoldPolicy, type HoldPolicy } from '../common/hold-policy.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { isHoldDue } from '../holds/hold-plan.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { ChooseHoldPolicy } from '../options/payments.options.js';
import { nameInLogs } from '../payment/name-in-logs.js';
import { PaymentReader } from '../payment/payment.reader.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { StoreRules } from '../stores/store-rules.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { HoldChoice } from './keep-hold.js';
import type { PaymentLease } from './payment-lease.js';

/** The host's function may call its own services, and must not keep the payment's lease meanwhile. */
const CHOICE_DEADLINE_MS = 10_000;

/** Characters of what the host's function threw. */
const LONGEST_FAULT = 500;

/** Asks what to do with holds before they end (G12): with each re-read, so that it always knows the true state. */
@Injectable()
export class HoldPolicies {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly rules: StoreRules,
    private readonly reader: PaymentReader,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Gets the policy if the hold is due: before the transaction, since the host's own code may take a while. */
  async choose(
    payment: PaymentsPaymentEntity,
    object: ServicePayment,
    lease: PaymentLease,
  ): Promise<HoldChoice | null> {
    if (object.status !== 'waiting_for_capture') return null;
    if (!isHoldDue(payment, await this.database.businessTime())) return null;
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
}
