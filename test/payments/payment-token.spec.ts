import {
  documentedProfile,
  PaymentInputError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  yookassaProfile,
  type CreatePaymentInput,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { canaries, canariesIn } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import {
  hasty,
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  bench = await openBench(testAccount, { profile: 'yookassa' });
  host = await bench.startHost({ profile: yookassaProfile });
});
afterEach(() => bench.sandbox.faults.clear());
afterAll(() => bench.close());

let tokens = 0;
/** Each pays once. */
const byToken = (fields: Partial<CreatePaymentInput> = {}): CreatePaymentInput => {
  const { order, amount } = orderInput();
  return { order, amount, paymentToken: `${canaries.paymentToken}-${(tokens += 1)}`, ...fields };
};
const creates = () => bench.sandbox.ledger.requestCount({ endpoint: 'create' });

describe('a payment by the token of a form', () => {
  it.each([
    [true, 'succeeded'],
    [false, 'waiting_for_capture'],
  ])('with capture: %s is %s at once, and its token is stored nowhere', async (capture, status) => {
    const payment = await host.payments.create(byToken({ capture }));
    expect(payment).toMatchObject({
      status,
      method: null,
      confirmation: null,
      paymentMethod: { type: 'bank_card', card: { last4: '4444' } },
    });
    const rows = await bench.asOwner('SELECT body, personal FROM payments_operations WHERE payment_id = $1', [
      payment.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(canariesIn(JSON.stringify(rows))).toEqual([]);
  });

  it("is pending on the bank's page where 3-D Secure is asked for", async () => {
    const payment = await host.payments.create(
      byToken({ returnUrl: 'https://shop.example/return', enforce3dSecure: true }),
    );
    expect(payment).toMatchObject({ status: 'pending', confirmationUrl: expect.stringContaining('/3ds') });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    expect(await paymentBecomes(host, payment.id, 'succeeded')).toMatchObject({
      authorization: { threeDSecureApplied: true },
    });
  });

  it('is sent again within its call, same key and same bytes: one payment', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_after_commit', times: 2 });
    const before = bench.sandbox.payments.list().length;
    expect(await host.payments.create(byToken())).toMatchObject({ status: 'succeeded' });
    expect(bench.sandbox.payments.list()).toHaveLength(before + 1);
  });

  it('of unknown outcome is found in the list, and never sent again', async () => {
    const caller = await bench.startHost({ ...hasty, sweeps: false, profile: yookassaProfile });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = byToken();
    await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    const [opened] = await host.payments.findByOrder(input.order.reference);
    const sent = creates();
    bench.sandbox.faults.clear();
    const found = await paymentBecomes(host, opened?.id ?? '', 'succeeded');
    expect(creates()).toBe(sent);
    expect(bench.sandbox.ledger.totals(found.serviceId ?? '')).toMatchObject({ charges: 1 });
  });

  it('of unknown outcome is found with what its buyer has to do, whether it can be re-read or not', async () => {
    const caller = await bench.startHost({ ...hasty, sweeps: false, profile: yookassaProfile });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = byToken({ returnUrl: 'https://shop.example/return', enforce3dSecure: true });
    await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    bench.sandbox.faults.order({ on: 'read', fault: 'error_500_before_commit', times: 1_000 });
    const [found] = await eventually(
      () => host.payments.findByOrder(input.order.reference),
      ([payment]) => payment?.status === 'pending',
    );
    expect(found?.confirmationUrl).toMatch(/\/3ds/);
  });

  it('that was used before is refused, and the order can be paid by another', async () => {
    const first = byToken();
    await host.payments.create(first);
    const again = byToken({ paymentToken: first.paymentToken ?? '' });
    await expect(host.payments.create(again)).rejects.toBeInstanceOf(PaymentRejectedError);
    const other = { ...byToken(), order: again.order };
    expect(await host.payments.create(other)).toMatchObject({ status: 'succeeded' });
  });

  it.each<[string, Partial<CreatePaymentInput>, string, RegExp]>([
    ['an empty one', { paymentToken: '' }, 'paymentToken', /1 to 10240/],
    ['beside a method', { method: 'sbp' }, 'paymentToken', /beside method/],
    ['beside a saved method', { paymentMethodId: 'pm-1' }, 'paymentToken', /beside paymentMethodId/],
    ['within extra', { extra: { payment_token: 'x' } }, 'extra.payment_token', /pass paymentToken/],
  ])('is refused before any row or request: %s', async (_name, fields, field, rule) => {
    const input = byToken(fields);
    const before = creates();
    const error: unknown = await host.payments.create(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentInputError);
    expect(error).toMatchObject({ field, rule: expect.stringMatching(rule) });
    expect(await host.payments.findByOrder(input.order.reference)).toEqual([]);
    expect(creates()).toBe(before);
  });

  it.each([
    ['has no forms', documentedProfile, /not part of the documented service/],
    ['names no key of its metadata', { ...yookassaProfile, metadataKey: null }, /metadataKey/],
  ])('is refused where the profile %s', async (_name, profile, rule) => {
    const other = await bench.startHost({ profile, sweeps: false });
    const error: unknown = await other.payments.create(byToken()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ field: 'paymentToken', rule: expect.stringMatching(rule) });
  });
});
