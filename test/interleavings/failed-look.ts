import type { Payment } from '@holdfast/payments';
import { ServiceError } from '@holdfast/payments/client';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { Reconciler } from '../../libs/payments/src/reconcile/reconciler.js';
import { duePayment, endLeases, failures, pay } from './acts.js';
import { faultsOf } from './books.js';
import { changesService } from './footprint.js';
import { claimOne, notify, type Actor, type Scenario, type Stage } from './stage.js';

/** So many looks have failed before that the payment rests for a minute after the next one, and no schedule lasts as long. */
const CHECKS = 6;
const REST_S = 60;

/**
 * The service answers the first look with an error. Another process sweeps too, a lease ends, and the buyer pays. No caller looks: what
 * the failure leaves behind would be made good before anybody sees it.
 */
export const failedLook: Scenario = {
  name: 'a look fails',
  async begin(stage) {
    const { observer, bench } = stage;
    const payment = await duePayment(stage);
    await observer.query('UPDATE payments_due SET checks = $2 WHERE payment_id = $1', [payment.id, CHECKS]);
    bench.sandbox.faults.order({ on: 'read', fault: 'error_500_before_commit', times: 1 });
    // How many notifications each look that failed knew of.
    const failed: number[] = [];
    const forgotten: string[] = [];
    return {
      areTwins: true,
      readsAtOnce: true,
      work: {
        a: (actor) => look(actor, failed),
        b: (actor) => look(actor, failed),
        n: async (actor) => {
          await actor.gate.step('the buyer pays', changesService, () => pay(stage, payment));
          await notify(actor, 'payment.succeeded', payment.serviceId);
          await actor.host.app.get(HandOver).runNext();
        },
        t: endLeases,
      },
      async timePasses() {
        forgotten.push(...(await forgottenIn(stage, payment, failed)));
        // No longer than the rest: what waits for a later time is not due by this.
        await observer.query(
          `UPDATE payments_due SET rest_until = rest_until - $1 * interval '1 s', ready_at = ready_at - $1 * interval '1 s'
           WHERE rest_until IS NOT NULL`,
          [REST_S],
        );
      },
      faults: async ({ ends }) => [
        ...failures(ends),
        ...(failed.length === 1 ? [] : [`${failed.length} looks failed`]),
        ...forgotten,
        ...(await faultsOf(stage, payment)),
      ],
    };
  },
};

/** As {@link sweep}, by a worker that goes on where the service fails. */
async function look({ host }: Actor, failed: number[]): Promise<void> {
  await host.app.get(HandOver).runNext();
  const claim = await claimOne(host);
  if (!claim) return;
  try {
    await host.app.get(Reconciler).run(claim, 'sweep');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    failed.push(claim.seen.length);
  }
}

/** A notification that was handed over while a look failed is a reason to look that the failure says nothing about. */
async function forgottenIn(
  { observer }: Stage,
  { id }: Payment,
  failed: readonly number[],
): Promise<string[]> {
  if (failed[0] !== 0) return [];
  const { rows } = await observer.query<{ lane: string }>(
    `SELECT lane FROM payments_due due JOIN payments_payments payment ON payment.id = payment_id
     JOIN payments_notifications notified ON object_id = service_id
     WHERE payment_id = $1 AND count > handled_count AND notified.ready_at IS NULL AND lane <> 'notified'`,
    [id],
  );
  return rows.map(({ lane }) => `its notification was handed over, and it waits among the ${lane}`);
}
