import {
  PaymentInputError,
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  yookassaProfile,
  type Payment,
  type ReceiptInput,
} from '@holdfast/payments';
import { Recoveries } from '../../libs/payments/src/recovery/recoveries.js';
import { RollbackWatch } from '../../libs/payments/src/rollback/rollback-watch.js';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { backUp, forgetPayment, forgetReceipt } from '../support/forget.js';
import { doAll } from '../support/one-by-one.js';
import {
  reread,
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { customer, receiptHandlers, rub } from '../support/receipts.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const cup = { description: 'Cup', amount: rub('50.00'), quantity: 2, vatCode: 11 } as const;
const prepaid: ReceiptInput = { customer, items: [{ ...cup, paymentMode: 'full_prepayment' }] };
const parcel = (receiptKey: string) =>
  ({
    receiptKey,
    type: 'payment',
    receipt: { customer, items: [{ ...cup, quantity: 1, paymentMode: 'full_payment' }] },
    settlements: [{ type: 'prepayment', amount: rub('50.00') }],
  }) as const;

const Handlers = receiptHandlers(({ receipt }) => receipt?.receiptKey ?? 'with the money');

describe.each(['with_payment', 'after_payment'] as const)(
  'a receipt that the database forgot, %s',
  (scenario) => {
    let bench: Bench;
    let host: PaymentsHost;
    beforeAll(async () => {
      bench = await openBench(testAccount, { profile: 'yookassa', receipts: { scenario, provider: 'atol' } });
      const fiscalization = { register: 'third_party', scenario } as const;
      host = await bench.startHost({ profile: yookassaProfile, fiscalization }, [Handlers]);
    });
    afterEach(() => bench.sandbox.faults.clear());
    afterAll(() => bench.close());

    const paid = async () => {
      const payment = await paidPayment(bench, host, { receipt: prepaid });
      if (scenario === 'after_payment') await become(payment, ['auto:payment succeeded']);
      return payment;
    };
    const known = async ({ id }: Pick<Payment, 'id'>) =>
      (await host.payments.receipts.list(id)).map(({ receiptKey, status }) => `${receiptKey} ${status}`);
    const become = (payment: Pick<Payment, 'id'>, expected: readonly string[]) =>
      eventually(
        async () => {
          await bench.sandbox.clock.advance(5_000);
          return known(payment);
        },
        (receipts) => receipts.join() === expected.join(),
      );
    const sent = ({ serviceId }: Payment) =>
      bench.sandbox.receipts.list().filter(({ payment_id: id }) => id === serviceId);
    const silence = () => bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    async function notice(): Promise<void> {
      await bench.asOwner('UPDATE payments_commit_mark SET counter = 0');
      await host.app.get(RollbackWatch).look();
    }
    const problemsOf = async ({ id }: Payment) =>
      (await host.app.get(PaymentsOperator).receiptProblems()).filter(({ paymentId }) => paymentId === id);
    /** Until all windows, and the second look, are over. */
    async function recover(): Promise<void> {
      await notice();
      await eventually(
        async () => {
          await bench.sandbox.clock.advance(MINUTE_MS);
          await doAll(host.app.get(Recoveries).work);
          return host.app.get(PaymentsOperator).recoveries();
        },
        (windows) => windows.every(({ doneAt }) => doneAt !== null),
      );
    }
    const own = scenario === 'after_payment' ? ['auto:payment succeeded'] : [];
    const byOrder = async ({ orderReference }: Payment) => {
      const [payment] = await eventually(
        () => host.payments.findByOrder(orderReference),
        ([found]) => found?.status === 'succeeded',
      );
      if (!payment) throw new Error('It was not found.');
      return payment;
    };

    it('is recorded again as the service has it, and is the one that its caller asks for under its key', async () => {
      const payment = await paid();
      const first = await host.payments.receipts.create(payment.id, parcel('one'));
      await become(payment, [...own, 'one succeeded']);
      const before = sent(payment).length;
      await forgetReceipt(bench, payment.id, 'one');
      await recover();
      expect(await known(payment)).toEqual([...own, `found:${first.serviceId} succeeded`]);
      const told = await eventually(
        async () => (await bench.effects(host, payment.id)).filter((said) => said.includes('found:')),
        ({ length }) => length > 0,
      );
      expect(told).toEqual([`receipt.succeeded: found:${first.serviceId}`]);
      const again = await host.payments.receipts.create(payment.id, parcel('one'));
      // By the same id, so that what its event leads to has the same key as before.
      expect(again).toMatchObject({
        id: first.id,
        receiptKey: 'one',
        serviceId: first.serviceId,
        status: 'succeeded',
      });
      expect(await known(payment)).toEqual([...own, `found:${first.serviceId} void`, 'one succeeded']);
      // And the other cup has a receipt of its own.
      await host.payments.receipts.create(payment.id, parcel('two'));
      expect(sent(payment)).toHaveLength(before + 1);
    });

    it('with its payment is found with it', async () => {
      const payment = await paid();
      const { serviceId } = await host.payments.receipts.create(payment.id, parcel('one'));
      await become(payment, [...own, 'one succeeded']);
      silence();
      await forgetPayment(bench, payment.id);
      await recover();
      const again = await byOrder(payment);
      await become(again, [...own, `found:${serviceId} succeeded`]);
      expect(sent(payment)).toHaveLength(2);
    });

    if (scenario === 'with_payment') return;

    it('before it was sent is missing, once the lists of the lost time have been read', async () => {
      const payment = await host.payments.create({ ...orderInput(), receipt: prepaid });
      silence();
      await forgetPayment(bench, payment.id);
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      await recover();
      const again = await byOrder(payment);
      const [problem] = await eventually(
        async () => {
          await bench.sandbox.clock.advance(MINUTE_MS);
          return problemsOf(again);
        },
        ({ length }) => length === 1,
      );
      expect(problem).toMatchObject({ kind: 'missing', refundId: null, remedy: 'send_it' });
      await host.payments.receipts.create(again.id, {
        receiptKey: 'by hand',
        type: 'payment',
        receipt: prepaid,
      });
      await become(again, ['by hand succeeded']);
      expect(await problemsOf(again)).toEqual([]);
    });

    it('that was sent is not missing, whatever is decided before it is found', async () => {
      const payment = await paid();
      silence();
      await forgetPayment(bench, payment.id);
      bench.sandbox.faults.order({ on: 'list_receipts', fault: 'error_500_before_commit', times: 1_000 });
      await notice();
      const again = await byOrder(payment);
      await reread(host, again.id);
      expect(await problemsOf(again)).toEqual([]);
      bench.sandbox.faults.clear();
      await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
      await recover();
      await become(again, ['auto:payment succeeded']);
      const names = (await host.payments.timeline(again.id)).map(({ name }) => name);
      expect(names.filter((name) => name.startsWith('receipt.'))).toEqual(['receipt.succeeded']);
      expect(sent(payment)).toHaveLength(1);
    });

    it('said to whom it went, so a refund of all needs a receipt of its own, and leaves nothing behind without', async () => {
      const payment = await paid();
      await forgetReceipt(bench, payment.id, 'auto:payment');
      await recover();
      await become(payment, ['auto:payment succeeded']);
      const asked = { refundKey: 'all' };
      await host.dataSource.transaction((manager) =>
        expect(host.payments.refund(payment.id, { ...asked, manager })).rejects.toThrow(PaymentInputError),
      );
      expect(await host.payments.refunds(payment.id)).toEqual([]);
      await host.payments.refund(payment.id, { ...asked, receipt: prepaid });
      const [refund] = await host.payments.refunds(payment.id);
      await become(payment, ['auto:payment succeeded', `auto:refund:${refund?.id} succeeded`]);
    });

    it('of a refund is recorded again under its key, and not sent a second time', async () => {
      const payment = await paid();
      const refund = await host.payments.refund(payment.id, { refundKey: 'all', receipt: prepaid });
      const all = ['auto:payment succeeded', `auto:refund:${refund.id} succeeded`];
      await become(payment, all);
      const before = sent(payment).length;
      silence();
      await forgetReceipt(bench, payment.id, `auto:refund:${refund.id}`);
      await recover();
      await become(payment, all);
      const windows = await host.app.get(PaymentsOperator).recoveries();
      expect(windows.map(({ error }) => error)).toEqual(windows.map(() => null));
      expect(sent(payment)).toHaveLength(before);
    });

    describe('older than its key, is registered once', () => {
      /** The database goes back to `copy`, and the service has forgotten the keys of what it has made since then. */
      async function goBack(copy: Awaited<ReturnType<typeof backUp>>): Promise<void> {
        silence();
        await copy.restore();
        await bench.sandbox.clock.advance(25 * HOUR_MS);
        await recover();
      }

      it('of a refund', async () => {
        const payment = await paid();
        const copy = await backUp(bench);
        const refund = await host.payments.refund(payment.id, { refundKey: 'all' });
        const all = ['auto:payment succeeded', `auto:refund:${refund.id} succeeded`];
        await become(payment, all);
        await goBack(copy);
        await become(payment, all);
        expect(sent(payment)).toHaveLength(2);
      });

      it('that a copy from before the money moved has as owed', async () => {
        const payment = await host.payments.create({ ...orderInput(), receipt: prepaid });
        const copy = await backUp(bench);
        bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
        await become(payment, ['auto:payment succeeded']);
        await goBack(copy);
        await become(payment, ['auto:payment succeeded']);
        expect(sent(payment)).toHaveLength(1);
        const refund = await host.payments.refund(payment.id, { refundKey: 'all' });
        await become(payment, ['auto:payment succeeded', `auto:refund:${refund.id} succeeded`]);
      });

      it('that failed and was sent again', async () => {
        const payment = await host.payments.create({ ...orderInput(), receipt: prepaid });
        const copy = await backUp(bench);
        bench.sandbox.receipts.next({ status: 'canceled' });
        bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
        await become(payment, ['auto:payment canceled']);
        const [problem] = await problemsOf(payment);
        const again = { by: 'anna', note: 'The register works again' };
        await host.app.get(PaymentsOperator).sendReceiptAgain(problem?.id ?? '', again);
        const attempts = ['auto:payment canceled', 'auto:payment~2 succeeded'];
        await become(payment, attempts);
        await goBack(copy);
        await become(payment, attempts);
        expect(sent(payment)).toHaveLength(2);
        expect(await problemsOf(payment)).toEqual([]);
      });

      it('and the others are sent while a person has an old time read', async () => {
        const payment = await paid();
        bench.sandbox.faults.order({ on: 'list_receipts', fault: 'error_500_before_commit', times: 1_000 });
        const day = { from: new Date(Date.now() - 48 * HOUR_MS), to: new Date(Date.now() - 47 * HOUR_MS) };
        await host.app.get(PaymentsOperator).recover(day);
        const { serviceId } = await host.payments.receipts.create(payment.id, parcel('one'));
        expect(serviceId).not.toBeNull();
        bench.sandbox.faults.clear();
        await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
        await recover();
      });

      it('that its caller asks for again meanwhile', async () => {
        const payment = await paid();
        const copy = await backUp(bench);
        const { serviceId } = await host.payments.receipts.create(payment.id, parcel('one'));
        await become(payment, [...own, 'one succeeded']);
        silence();
        bench.sandbox.faults.order({ on: 'list_receipts', fault: 'error_500_before_commit', times: 1_000 });
        await copy.restore();
        await bench.sandbox.clock.advance(25 * HOUR_MS);
        await notice();
        const again = () => host.payments.receipts.create(payment.id, parcel('one'));
        await expect(again()).rejects.toThrow(PaymentOutcomeUnknownError);
        await reread(host, payment.id);
        expect(sent(payment)).toHaveLength(2);
        bench.sandbox.faults.clear();
        silence();
        await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
        await recover();
        await become(payment, [...own, 'one succeeded']);
        expect(await again()).toMatchObject({ receiptKey: 'one', serviceId });
        expect(sent(payment)).toHaveLength(2);
      });
    });

    it('of a hold that was let go needs a person, since nobody knows any more who got it', async () => {
      const payment = await paidPayment(bench, host, { receipt: prepaid, capture: false });
      await become(payment, ['auto:payment succeeded']);
      await forgetReceipt(bench, payment.id, 'auto:payment');
      await host.payments.cancel(payment.id);
      await recover();
      expect(await problemsOf(payment)).toMatchObject([
        { paymentId: payment.id, kind: 'missing', remedy: 'send_it' },
      ]);
    });
  },
);
