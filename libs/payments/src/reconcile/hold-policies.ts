import { setTimeout as delay } from 'node:timers/promises';
import type { ServicePayment } from '../api/service-payment.js';
import { isHoldPolicy, type HoldPolicy } from '../common/hold-policy.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import type { Database } from '../database/database.js';
import { isHoldDue } from '../holds/hold-plan.js';
import type { ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { ChooseHoldPolicy } from '../options/payments.options.js';
import { nameInLogs } from '../payment/name-in-logs.js';
import { findPayment } from '../payment/payment.reader.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { allowsAct } from '../stores/store-rules.js';
import type { StoreRegistry } from '../stores/store.registry.js';
import { paymentView } from '../views/payment.view.js';
import type { HoldChoice } from './keep-hold.js';
import type { PaymentLease } from './payment-lease.js';

/** The host's function may call its own services, and must not keep the payment's lease meanwhile. */
const CHOICE_DEADLINE_MS = 10_000;

/** Characters of what the host's function threw. */
const LONGEST_FAULT = 500;

const logger = new PaymentsLog();

/**
 * Asks what to do with a hold before it ends (G12): with each re-read, so that the policy always knows the true state; and before the
 * transaction, since the host's own code may take a while. null: the hold is not due.
 */
export async function chooseHold(
  database: Database,
  stores: StoreRegistry,
  seal: ConfirmationSeal,
  options: ResolvedPaymentsOptions,
  payment: PaymentsPaymentEntity,
  object: ServicePayment,
  lease: PaymentLease,
): Promise<HoldChoice | null> {
  if (object.status !== 'waiting_for_capture') return null;
  if (!isHoldDue(payment, await database.businessTime())) return null;
  if (payment.supersededAt !== null) return { policy: 'release', fault: null };
  const policy = payment.holdPolicy ?? options.holdPolicy;
  if (typeof policy !== 'function') return permitted(stores, options, policy, payment);
  await lease.outlive(CHOICE_DEADLINE_MS);
  try {
    return await permitted(stores, options, await ask(database, stores, seal, policy, payment), payment);
  } catch (error) {
    const fault = messageOf(error, LONGEST_FAULT);
    const { name, about } = await database.read((from) => nameInLogs(from, payment));
    logger.error(`holds.policy failed for payment ${name}, which is flagged instead: ${fault}`, about);
    return { policy: 'flag', fault };
  }
}

/** Actions that the app may not take for the store are left to a person. */
async function permitted(
  stores: StoreRegistry,
  options: ResolvedPaymentsOptions,
  policy: HoldPolicy,
  { storeId }: PaymentsPaymentEntity,
): Promise<HoldChoice> {
  if (policy === 'flag') return { policy, fault: null };
  const store = await stores.find({ store: storeId });
  if (allowsAct(options, store, policy)) return { policy, fault: null };
  return { policy: 'flag', fault: `partner.permissions does not name what a ${policy} needs` };
}

async function ask(
  database: Database,
  stores: StoreRegistry,
  seal: ConfirmationSeal,
  choose: ChooseHoldPolicy,
  { id, storeId }: PaymentsPaymentEntity,
): Promise<HoldPolicy> {
  const found = await findPayment(database, stores, id, { store: storeId });
  const confirmation = await seal.opened(found.payment);
  const payment = paymentView(found.payment, found.order, confirmation);
  const late = new AbortController();
  const timeout = delay(CHOICE_DEADLINE_MS, 'late', { signal: late.signal, ref: false }).catch(() => 'late');
  const chosen: unknown = await Promise.race([choose(payment), timeout]).finally(() => late.abort());
  if (isHoldPolicy(chosen)) return chosen;
  throw new Error(
    chosen === 'late'
      ? `it returned no answer within ${CHOICE_DEADLINE_MS} ms`
      : 'it must return capture, cancel or flag',
  );
}
