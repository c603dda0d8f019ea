import { testAccount } from '../../support/account.js';
import { sendNotification } from '../../support/payments-host.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, orderOf, receiptOf, type Shop } from './shop.js';
import type { VersionHost } from './version-host.js';

/** More than is ever sent. */
const MANY = 1_000_000;

/** Payments whose receipts go with the money, by a process of its own: a shop agrees with its register on one way or the other. */
export async function makeReceiptsWithPayments(shop: Shop): Promise<void> {
  const { sandbox } = shop;
  const host = await shop.start('old', 'with_payment');
  for (const status of ['succeeded', 'pending', 'canceled'] as const) {
    sandbox.receipts.next({ status });
    await shop.paid(host, `receipt ${status}`);
    const { id } = await shop.paid(host, `receipt of refund ${status}`);
    await shop.pass(MINUTE_MS);
    sandbox.receipts.next({ status });
    await host.call('payments', 'refund', id, { refundKey: 'all' });
  }
  await shop.until(`SELECT count(*)::int FROM payments_payments WHERE receipt_status = 'pending'`, 1);
  await shop.stop(host);
}

/** What is over, or waits for a person, or for its turn. */
export async function makeWhatIsSettled(shop: Shop, host: VersionHost): Promise<void> {
  const { sandbox } = shop;
  await makeOwnReceipts(shop, host);

  // What the service refuses.
  sandbox.faults.order({ on: 'create', fault: 'forbidden' });
  await refused(host.call('payments', 'create', orderOf('refused payment')));
  const whole = await shop.paid(host, 'refused refund');
  sandbox.faults.order({ on: 'refund', fault: 'forbidden' });
  await refused(refund(host, whole));

  for (const status of ['pending', 'canceled'] as const) {
    const payment = await shop.paid(host, `refund ${status}`);
    sandbox.refunds.next({ status });
    await refund(host, payment);
  }
  const overpaid = await shop.create(host, 'overpaid');
  await shop.paid(host, 'overpaid', { ...orderOf('overpaid', '90.00'), replace: true });
  sandbox.payments.pay(overpaid.serviceId, { outcome: 'succeed' });

  for (const holdPolicy of ['capture', 'cancel', 'flag'])
    await shop.held(host, `hold to ${holdPolicy}`, { holdPolicy });
  const [captured, letGo] = [await shop.held(host, 'captured'), await shop.held(host, 'let go')];
  await host.call('payments', 'capture', captured.id);
  await host.call('payments', 'cancel', letGo.id);

  await host.call('operator', 'recover', lastDay(shop));
  await shop.until(COUNT_OPEN_RECOVERIES, 0);

  // Runs that fail are ten seconds apart, then twenty, then forty.
  await shop.order({ fails: true });
  await shop.paid(host, 'parked');
  for (const attempts of [1, 2, 3]) {
    await shop.until(
      `SELECT count(*)::int FROM payments_deliveries WHERE last_error IS NOT NULL AND lease_until IS NULL AND attempts = ${attempts}`,
      1,
    );
    await shop.pass(MINUTE_MS);
  }
  await shop.until(`SELECT count(*)::int FROM payments_deliveries WHERE parked_at IS NOT NULL`, 1);
}

async function makeOwnReceipts(shop: Shop, host: VersionHost): Promise<void> {
  const { sandbox } = shop;
  for (const status of ['succeeded', 'pending', 'canceled'] as const) {
    sandbox.receipts.next({ status });
    await receiptSent(shop, await shop.paid(host, `own receipt ${status}`));
  }
  sandbox.receipts.next({ status: 'pending' });
  const late = await shop.paid(host, 'receipt at last');
  await receiptSent(shop, late);
  // The service refuses receipts that it did not agree to take.
  sandbox.stores.change(testAccount.shopId, { receipts: null });
  await receiptSent(shop, await shop.paid(host, 'refused receipt'));
  sandbox.stores.change(testAccount.shopId, { receipts: { scenario: 'after_payment' } });
  await notifyOfNobody(host, 'foreign');
  const returned = await shop.paid(host, 'returned');
  const part = await shop.paid(host, 'partly returned');
  await shop.pass(2 * HOUR_MS);
  await shop.until(`SELECT count(*)::int FROM payments_receipt_problems WHERE status = 'pending'`, 4);
  const [{ id } = { id: '' }] = sandbox.receipts
    .list()
    .filter(({ payment_id: paymentId }) => paymentId === late.serviceId);
  sandbox.receipts.finish(id, 'succeeded');
  await refund(host, returned);
  sandbox.refunds.make(part.serviceId, '40.00');
  await shop.until(`SELECT count(*)::int FROM payments_receipt_problems WHERE status = 'missing'`, 1);
  const canceled = await shop.paymentOf('receipt canceled');
  const { rows } = await shop.database.sql.query<{ id: string }>(
    'SELECT id FROM payments_receipt_problems WHERE payment_id = $1',
    [canceled.id],
  );
  await host.call('operator', 'resolveReceipt', rows[0]?.id, { by: 'Anna', note: 'made by hand' });
  await shop.pass(HOUR_MS);
  await shop.until(`SELECT count(*)::int FROM payments_receipt_problems WHERE status = 'succeeded'`, 1);
  const declined = await shop.create(host, 'declined');
  sandbox.payments.pay(declined.serviceId, { outcome: 'decline' });
  await shop.becomes('declined', 'canceled');
}

/**
 * What is on its way when the service stops answering: every request to it hangs from then on, until the faults are cleared. Returns the calls
 * that wait for their answers.
 */
export async function makeWhatIsUnderWay(shop: Shop, host: VersionHost): Promise<Promise<unknown>[]> {
  const { sandbox } = shop;
  const [forRefund, forReceipt, forHandlers, failing, notified] = [
    await shop.paid(host, 'refund under way'),
    await shop.create(host, 'receipt under way'),
    await shop.paid(host, 'refunded twice'),
    await shop.create(host, 'failing'),
    await shop.create(host, 'notified'),
  ];
  await shop.paid(host, 'failed');
  const hold = await shop.held(host, 'capture refused for now');
  await shop.create(host, 'open');

  await shop.order({ hangs: true });
  for (const [index, value] of ['10.00', '20.00'].entries()) {
    const amount = { value, currency: 'RUB' };
    await host.call('payments', 'refund', forHandlers.id, {
      refundKey: `part ${index}`,
      amount,
      receiptOf: receiptOf('100.00'),
    });
  }
  sandbox.faults.order({ on: 'read_payout', fault: 'error_500_before_commit' });
  sandbox.payouts.create({ amount: '10.00', outcome: 'succeeded' });
  await shop.until(
    `SELECT count(*)::int FROM payments_notifications WHERE step = 're_read_again' AND waiting_since IS NOT NULL`,
    1,
  );
  sandbox.faults.order({ on: 'receipt', fault: 'stall', times: MANY });
  sandbox.payments.pay(forReceipt.serviceId, { outcome: 'succeed' });
  await shop.until(`SELECT count(*)::int FROM payments_receipts WHERE status = 'submitting'`, 1);
  sandbox.faults.order({ on: 'read', object: failing.serviceId, fault: 'error_500_before_commit' });
  sandbox.payments.pay(failing.serviceId, { outcome: 'succeed' });
  await shop.until(`SELECT count(*)::int FROM payments_due WHERE lane = 'failing'`, 1);

  for (const on of ['read', 'list', 'list_refunds', 'list_receipts', 'read_refund', 'read_payout'] as const)
    sandbox.faults.order({ on, fault: 'stall', times: MANY });
  for (const on of ['create', 'refund'] as const)
    sandbox.faults.order({ on, fault: 'stall_after_commit', times: MANY });
  sandbox.faults.order({ on: 'capture', fault: 'too_many_requests', retry_after: DAY_MS, times: MANY });
  sandbox.payments.pay(notified.serviceId, { outcome: 'succeed' });
  sandbox.payouts.create({ amount: '20.00', outcome: 'succeeded' });
  await notifyOfNobody(host, 'unknown');
  const calls = [
    host.call('payments', 'create', orderOf('create under way')),
    refund(host, forRefund),
    refused(host.call('payments', 'capture', hold.id)),
  ];
  await shop.until(
    `SELECT count(*)::int FROM payments_operations WHERE kind IN ('create', 'refund') AND outcome = 'unknown'`,
    2,
  );
  await host.call('operator', 'recover', lastDay(shop));
  return calls;
}

/** Waits until the receipt that follows the money is answered: which one the next order of the sandbox hits must be known. */
const receiptSent = (shop: Shop, { id }: { readonly id: string }) =>
  shop.until(
    `SELECT count(*)::int FROM payments_receipts WHERE payment_id = '${id}' AND status NOT IN ('owed', 'submitting')`,
    1,
  );

const COUNT_OPEN_RECOVERIES = 'SELECT count(*)::int FROM payments_recoveries WHERE done_at IS NULL';

const lastDay = ({ sandbox }: Shop) => {
  const to = sandbox.clock.now();
  return { from: new Date(to.getTime() - DAY_MS), to };
};

const refund = (host: VersionHost, { id }: { readonly id: string }) =>
  host.call('payments', 'refund', id, { refundKey: 'all' });

/** Waits until the call has failed. */
async function refused(call: Promise<unknown>): Promise<void> {
  const answer = await call.then(
    () => 'done',
    () => 'refused',
  );
  if (answer === 'done') throw new Error('The service did not refuse it.');
}

/** A notification of a payment that the service does not know either. */
export async function notifyOfNobody(host: VersionHost, id: string): Promise<void> {
  const event = { type: 'notification', event: 'payment.succeeded', object: { id } };
  const { status } = await sendNotification(host, event);
  if (status !== 200) throw new Error(`It was answered ${status}.`);
}
