import {
  OrderAlreadyPaidError,
  PaymentsOperator,
  type CreatePaymentInput,
  type Payment,
} from '@holdfast/payments';
import { parseServicePayment } from '../../libs/payments/src/api/service-payment.js';
import { Adoption } from '../../libs/payments/src/apply/adoption.js';
import { eventually } from '../support/eventually.js';
import { forgetPayment } from '../support/forget.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const MINUTE_MS = 60_000;

const roubles = (value: number) => ({ value: `${value}.00`, currency: 'RUB' as const });

/** The number of an order of the time that a restored backup has forgotten, which the shop gives to its next buyer. */
describe('a number that is used again', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let operator: PaymentsOperator;
  let number = 0;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
    operator = host.app.get(PaymentsOperator);
  });
  beforeEach(() => {
    // Nothing but lists and re-reads says what there is.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
  });
  afterEach(() => bench.sandbox.faults.clear());
  afterAll(() => bench.close());

  const pay = ({ serviceId }: Payment) => bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  async function paid(of: CreatePaymentInput): Promise<Payment> {
    const payment = await host.payments.create(of);
    pay(payment);
    return host.payments.refresh(payment.id);
  }
  /** The input of a create under a number of its own. */
  const input = (merchantCustomerId: string, fields: Partial<CreatePaymentInput> = {}) => ({
    ...orderInput(`reused-${number}`),
    ...fields,
    merchantCustomerId,
  });
  /** In place of what is open. */
  const another = (merchantCustomerId: string) =>
    input(merchantCustomerId, { amount: roubles(90), replace: true });
  beforeEach(() => {
    number += 1;
  });
  const rowsOf = ({ order }: CreatePaymentInput) => host.payments.findByOrder(order.reference);
  const rowOf = async (of: CreatePaymentInput, { serviceId }: Payment) =>
    (await rowsOf(of)).find((row) => row.serviceId === serviceId);

  /** What people are told of this payment of the service, and at which of ours. */
  async function toldOf({ serviceId }: Payment, of: CreatePaymentInput) {
    const timelines = await Promise.all(
      (await rowsOf(of)).map(async ({ id }) =>
        (await host.payments.timeline(id)).map((event) => ({ ...event, paymentId: id })),
      ),
    );
    return timelines
      .flat()
      .filter(({ name, evidence }) => name === 'payment.anomaly' && evidence['serviceId'] === serviceId);
  }

  async function listAgain(): Promise<void> {
    const to = await operator.now();
    await operator.recover({ from: new Date(to.getTime() - 60 * MINUTE_MS), to });
    await eventually(
      () => operator.recoveries(),
      (all) => all.every(({ doneAt }) => doneAt !== null),
    );
  }

  async function find({ serviceId }: Payment): Promise<void> {
    const object = parseServicePayment(bench.sandbox.payments.get(serviceId ?? ''));
    if (object === null) throw new Error('The service has no such payment.');
    const [store] = await bench.asOwner<{ id: string }>('SELECT id FROM payments_stores');
    await host.app.get(Adoption).adopt(store?.id ?? '', [object]);
  }

  it.each([
    ['paid, of the same sum', { capture: true }, 100],
    ['paid, of another sum', { capture: true }, 90],
    ['held, of the same sum', { capture: false }, 100],
  ])('does not bring the next buyer what the first one %s', async (_name, fields, value) => {
    const earlier = await paid(input('anna', fields));
    await forgetPayment(bench, earlier.id);
    const later = input('boris', { ...fields, amount: roubles(value) });
    const payment = await host.payments.create(later);
    expect(payment).toMatchObject({ status: 'pending', merchantCustomerId: 'boris' });
    expect(payment.serviceId).not.toBe(earlier.serviceId);
    await listAgain();
    // However it is heard of.
    await sendNotification(host, {
      type: 'notification',
      event: 'payment.succeeded',
      object: { id: earlier.serviceId },
    });
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(MINUTE_MS);
        return operator.foreignNotifications();
      },
      (foreign) => foreign.some(({ objectId }) => objectId === earlier.serviceId),
    );
    expect(await rowOf(later, earlier)).toBeUndefined();
    expect(await host.payments.getOrder(later.order.reference)).toMatchObject({
      state: 'unpaid',
      totalDue: roubles(value),
    });
    const told = await toldOf(earlier, later);
    expect(told).toMatchObject([
      { evidence: { reason: expect.stringContaining("of another buyer under its order's number") } },
    ]);
    const [anomaly] = told;
    const incidents = await operator.incidents();
    expect(incidents.map(({ paymentId }) => paymentId)).toContain(anomaly?.paymentId);
    pay(payment);
    expect(await host.payments.refresh(payment.id)).toMatchObject({
      status: fields.capture ? 'succeeded' : 'waiting_for_capture',
    });
    expect(bench.sandbox.ledger.totals(earlier.serviceId ?? '')).toMatchObject({ cancels: 0 });
  });

  it('does not bring it to one whose create was lost on its way, though both have one mark', async () => {
    const earlier = await paid(input('anna'));
    await forgetPayment(bench, earlier.id);
    const later = input('boris');
    const caller = await bench.startHost({ sweeps: false, requestTimeoutMs: 1_000, callDeadlineMs: 2_000 });
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
    await expect(caller.payments.create(later)).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    await caller.close();
    bench.sandbox.faults.clear();
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(5 * MINUTE_MS);
        return rowsOf(later);
      },
      ([row]) => row?.status === 'rejected',
    );
    await eventually(
      () => toldOf(earlier, later),
      ({ length }) => length === 1,
    );
    expect(await rowOf(later, earlier)).toBeUndefined();
    const payment = await host.payments.create(later);
    expect(payment).toMatchObject({ status: 'pending', merchantCustomerId: 'boris' });
    expect(payment.serviceId).not.toBe(earlier.serviceId);
  });

  it.each([
    ['by the same buyer', 'anna', 'anna'],
    ['by one whom the create does not name', undefined, 'anna'],
    ['by a buyer where the first create named none', 'anna', undefined],
  ])('%s finds what was paid', async (_name, later, first) => {
    const named = (merchantCustomerId: string | undefined) => ({
      ...orderInput(`reused-${number}`),
      ...(merchantCustomerId !== undefined && { merchantCustomerId }),
    });
    const earlier = await paid(named(first));
    await forgetPayment(bench, earlier.id);
    // The very same request is answered as it was then.
    const [again] = await Promise.allSettled([host.payments.create(named(later))]);
    expect(again).toMatchObject(
      first === later
        ? { value: { serviceId: earlier.serviceId } }
        : { reason: { code: 'order_already_paid' } },
    );
    const row = await rowOf(named(later), earlier);
    expect(await host.payments.refresh(row?.id ?? '')).toMatchObject({ status: 'succeeded' });
    expect(await toldOf(earlier, named(later))).toEqual([]);
  });

  it('that is open or paid by then is what it was: whom it is of, its payment says', async () => {
    const earlier = await host.payments.create(input('anna'));
    await forgetPayment(bench, earlier.id);
    await find(earlier);
    const later = { ...input('boris'), replace: true };
    expect(await host.payments.create(later)).toMatchObject({
      serviceId: earlier.serviceId,
      merchantCustomerId: 'anna',
    });
    pay(earlier);
    await eventually(
      () => host.payments.create(later).catch((error: unknown) => error),
      (answer) => answer instanceof OrderAlreadyPaidError,
    );
    expect(await rowsOf(later)).toMatchObject([{ status: 'succeeded', merchantCustomerId: 'anna' }]);
  });

  it.each(['older', 'newer'])(
    'is not: a buyer who signed in between two tries has both found again, the %s first',
    async (which) => {
      const guest = await host.payments.create(input('guest'));
      const user = await host.payments.create(another('anna'));
      for (const { id } of [user, guest]) await forgetPayment(bench, id);
      for (const payment of which === 'older' ? [guest, user] : [user, guest]) await find(payment);
      const rows = await rowsOf(input('anna'));
      expect(new Set(rows.map(({ serviceId }) => serviceId))).toEqual(
        new Set([guest.serviceId, user.serviceId]),
      );
      expect(await rowOf(input('anna'), user)).toMatchObject({ superseded: false });
    },
  );

  it('is not: one of a buyer who has signed in since an older try is found again', async () => {
    await host.payments.create(input('guest'));
    const user = await host.payments.create(another('anna'));
    await forgetPayment(bench, user.id);
    await find(user);
    expect(await rowOf(input('anna'), user)).toMatchObject({ superseded: false });
    expect(await toldOf(user, input('anna'))).toEqual([]);
  });

  it('is not: one of a buyer who has signed in since an older try was refused', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'forbidden' });
    await expect(host.payments.create(input('guest'))).rejects.toMatchObject({ code: 'payment_rejected' });
    const user = await paid(input('anna'));
    await forgetPayment(bench, user.id);
    await find(user);
    const row = await rowOf(input('anna'), user);
    expect(await host.payments.refresh(row?.id ?? '')).toMatchObject({ status: 'succeeded' });
    expect(await toldOf(user, input('anna'))).toEqual([]);
  });
});
