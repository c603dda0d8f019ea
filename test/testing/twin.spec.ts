import { PaymentsService, type Payment } from '@holdfast/payments';
import { createTestPayments, type TestPayments } from '@holdfast/payments/testing';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { orderInput } from '../support/payments-host.js';
import { closing } from '../support/still-running.js';

/** What the table of docs/testing.md says, in its order, but for what moves the time: that comes last. */
describe('a test has the twin', () => {
  let kit: TestPayments;
  let app: INestApplication;

  beforeAll(async () => {
    kit = await createTestPayments({ databaseUrl: process.env['TEST_SERVER_URL'] });
    closing(() => kit.close());
    const module = await Test.createTestingModule({ imports: [kit.module] }).compile();
    app = await module.createNestApplication({ logger: false }).init();
    closing(() => app.close());
  });

  async function bought(capture = true): Promise<Payment> {
    const { id, serviceId } = await kit.payments.create({ ...orderInput(), capture });
    kit.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await kit.settled();
    return kit.payments.get(id);
  }

  it('pay as the buyer would, at once or by a hold', async () => {
    expect([(await bought()).status, (await bought(false)).status]).toEqual([
      'succeeded',
      'waiting_for_capture',
    ]);
  });

  it('decline the buyer, for a reason', async () => {
    const { id, serviceId } = await kit.payments.create(orderInput());
    kit.sandbox.payments.pay(serviceId ?? '', { outcome: 'decline', reason: 'insufficient_funds' });
    await kit.settled();
    const cancellation = { party: 'payment_network', reason: 'insufficient_funds' };
    expect(await kit.payments.get(id)).toMatchObject({ status: 'canceled', cancellation });
  });

  it('make the next refund slowly, or not', async () => {
    const { id } = await bought();
    const refund = (refundKey: string) => kit.payments.refund(id, { refundKey });
    kit.sandbox.refunds.next({ status: 'canceled' });
    expect(await refund('refused')).toMatchObject({ status: 'canceled' });
    kit.sandbox.refunds.next({ status: 'pending' });
    const slow = await refund('slow');
    expect(slow).toMatchObject({ status: 'pending' });
    kit.sandbox.refunds.finish(slow.serviceId ?? '', 'succeeded');
    await kit.settled();
    expect(await kit.payments.refunds(id)).toMatchObject([{ status: 'canceled' }, { status: 'succeeded' }]);
  });

  it('fail a request, which the module gets over', async () => {
    kit.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit' });
    expect(await kit.payments.create(orderInput())).toMatchObject({ status: 'pending' });
    expect(kit.sandbox.faults.list()).toEqual([]);
  });

  // A test runner may replace what it answers.
  it('beside the service that the application itself is given', () => {
    expect(kit.payments).toBe(app.get(PaymentsService));
  });

  it('let the time run out: of a buyer, of a hold, and of a refund that nothing notifies of', async () => {
    const { id } = await bought();
    const held = await bought(false);
    kit.sandbox.refunds.next({ status: 'pending' });
    const slow = await kit.payments.refund(id, { refundKey: 'slow' });
    kit.sandbox.refunds.finish(slow.serviceId ?? '', 'canceled');
    const open = await kit.payments.create(orderInput());
    await kit.clock.advance(3_600_000);
    expect(await kit.payments.refunds(id)).toMatchObject([{ status: 'canceled' }]);
    expect((await kit.payments.get(open.id)).cancellation?.reason).toBe('expired_on_confirmation');
    await kit.sandbox.clock.advance(7 * 86_400_000);
    await kit.settled();
    expect((await kit.payments.get(held.id)).cancellation?.reason).toBe('expired_on_capture');
  });
});
