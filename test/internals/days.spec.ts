import { PaymentsOperator } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Database } from '../../libs/payments/src/database/database.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** More than one statement reads. */
const MANY = 5_003;

describe('the sums of days', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let app: PaymentsHost['app'];
  let operator: PaymentsOperator;
  let aheadMs: number;
  let paymentId: string;
  let now: Date;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
    ({ id: paymentId } = await paidPayment(bench, host));
    now = await host.app.get(PaymentsOperator).now();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    // A process that has looked at nothing yet.
    aheadMs = 0;
    const clock = { offsetMs: () => bench.sandbox.clock.offsetMs() + aheadMs };
    ({ app } = await bench.startHost({ sweeps: false, clock }));
    operator = app.get(PaymentsOperator);
    await bench.asOwner(`DELETE FROM payments_events WHERE cause = 'test'`);
  });

  /** Of the same moment, each of a payment that was paid. */
  const happened = (msAgo: number, count = 1) =>
    bench.asOwner(
      `INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
       SELECT store_id, 'payment', id::text, id, 'payment.succeeded', 'test', '{}', $2::timestamptz
       FROM payments_payments, generate_series(1, $3::int) WHERE id = $1`,
      [paymentId, new Date(now.getTime() - msAgo), count],
    );
  /** How many payments succeeded in the time, without the one that all events are about; and what was taken in roubles. */
  const seen = async (fromMsAgo = 2 * DAY_MS, toMsAgo = -MINUTE_MS) => {
    const [from, to] = [new Date(now.getTime() - fromMsAgo), new Date(now.getTime() - toMsAgo)];
    const days = await operator.days({ from, to });
    const own = fromMsAgo >= 0 && toMsAgo < 0 ? 1 : 0;
    const count = days.reduce((sum, { succeeded }) => sum + succeeded, -own);
    expect(days.reduce((sum, { taken }) => sum + Number(taken.value), -100 * own)).toBe(100 * count);
    return count;
  };

  it('have each event once, also where more than one statement reads what happened, and at one moment', async () => {
    await happened(3 * HOUR_MS, 10);
    await happened(2 * HOUR_MS, MANY);
    await happened(HOUR_MS, MANY);
    await happened(2 * MINUTE_MS, MANY);
    await happened(MINUTE_MS, 10);
    for (let look = 0; look < 3; look += 1) expect(await seen()).toBe(3 * MANY + 20);
    expect(await Promise.all([seen(), seen()])).toEqual([3 * MANY + 20, 3 * MANY + 20]);
  });

  it('are read once of what is over, and anew of the last quarter of an hour', async () => {
    await happened(HOUR_MS, 3);
    await happened(14 * MINUTE_MS, 2);
    expect(await seen()).toBe(5);
    await bench.asOwner(`DELETE FROM payments_events WHERE cause = 'test'`);
    await happened(14 * MINUTE_MS);
    expect(await seen()).toBe(4);
    await happened(0);
    expect(await seen()).toBe(5);
  });

  it('are those of the period, whatever other periods were asked for before', async () => {
    await happened(30 * DAY_MS);
    await happened(10 * DAY_MS, 2);
    await happened(9 * DAY_MS, 4);
    await happened(HOUR_MS, 8);
    expect(await seen(9 * DAY_MS)).toBe(12);
    expect(await seen(40 * DAY_MS)).toBe(15);
    expect(await seen(9 * DAY_MS)).toBe(12);
    // All of the day before its last moment, and nothing of that.
    expect(await seen(40 * DAY_MS, 9 * DAY_MS)).toBe(3);
    expect(await seen(40 * DAY_MS, 9 * DAY_MS - 1)).toBe(7);
    expect(await seen(40 * DAY_MS)).toBe(15);
  });

  it('have what happens later today, also where days to come were asked for first', async () => {
    await happened(HOUR_MS, 2);
    expect(await seen(-2 * DAY_MS, -3 * DAY_MS)).toBe(0);
    expect(await seen(2 * DAY_MS, -3 * DAY_MS)).toBe(2);
    expect(await seen(-2 * DAY_MS, -3 * DAY_MS)).toBe(0);
    await happened(-HOUR_MS, 4);
    expect(await seen(2 * DAY_MS, -3 * DAY_MS)).toBe(6);
  });

  it('have what happens after a clock was put back', async () => {
    await happened(HOUR_MS, 2);
    expect(await seen(2 * DAY_MS, -3 * HOUR_MS)).toBe(2);
    aheadMs = 2 * HOUR_MS;
    expect(await seen(2 * DAY_MS, -3 * HOUR_MS)).toBe(2);
    aheadMs = HOUR_MS;
    await happened(-HOUR_MS - MINUTE_MS, 4);
    expect(await seen(2 * DAY_MS, -3 * HOUR_MS)).toBe(6);
  });

  it('begin at the first midnight of a day that has two', async () => {
    const [from, to] = [new Date('2025-10-26T00:00:00Z'), new Date('2025-10-27T01:00:00Z')];
    await happened(now.getTime() - Date.parse('2025-10-25T23:30:00Z'));
    await happened(now.getTime() - Date.parse('2025-10-26T00:30:00Z'), 2);
    await happened(now.getTime() - Date.parse('2025-10-26T01:30:00Z'), 4);
    const days = await operator.days({ from, to, timeZone: 'Atlantic/Azores' });
    expect(days).toMatchObject([{ day: '2025-10-26', succeeded: 6 }]);
  });

  it('of another year cost this one nothing', async () => {
    await happened(400 * DAY_MS);
    await happened(200 * DAY_MS, MANY);
    await happened(HOUR_MS, 2);
    expect(await seen(401 * DAY_MS, 399 * DAY_MS)).toBe(1);
    const page = jest.spyOn(app.get(Database), 'transaction');
    expect(await seen()).toBe(2);
    expect(page).toHaveBeenCalledTimes(1);
    page.mockRestore();
  });

  it.each([
    ['a day later', () => bench.sandbox.clock.advance(DAY_MS)],
    [
      'once the database is found to have forgotten commits',
      () => bench.asOwner('UPDATE payments_commit_mark SET epoch = gen_random_uuid()'),
    ],
  ])('are read anew %s', async (_when, become) => {
    await happened(HOUR_MS, 3);
    expect(await seen()).toBe(3);
    await bench.asOwner(`DELETE FROM payments_events WHERE cause = 'test'`);
    expect(await seen()).toBe(3);
    await become();
    expect(await seen()).toBe(0);
  });
});
