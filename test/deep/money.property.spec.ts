import {
  formatAmount,
  OperationRefusedError,
  parseAmount,
  PaymentsError,
  type Payment,
} from '@holdfast/payments';
import * as fc from 'fast-check';
import { eventually } from '../support/eventually.js';
import {
  reread,
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const AUTHORIZED_MINOR = 100_00;
const CLIENTS = 3;

type Step =
  | { readonly kind: 'capture'; readonly client: number; readonly amountMinor: number }
  | {
      readonly kind: 'refund';
      readonly client: number;
      readonly refundKey: string;
      readonly amountMinor: number;
    }
  | { readonly kind: 'refund in the Merchant Profile'; readonly amountMinor: number };

const client = fc.nat({ max: CLIENTS - 1 });
const capture: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('capture' as const),
  client,
  amountMinor: fc.integer({ min: 1, max: AUTHORIZED_MINOR }),
});
const refund: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('refund' as const),
  client,
  refundKey: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  amountMinor: fc.integer({ min: 1, max: AUTHORIZED_MINOR }),
});
const refundElsewhere: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('refund in the Merchant Profile' as const),
  amountMinor: fc.integer({ min: 1, max: AUTHORIZED_MINOR / 4 }),
});
const mixed = fc.oneof(capture, { arbitrary: refund, weight: 6 }, refundElsewhere);
/**
 * Calls at the same moment; the next round begins when they are answered. Without a capture nothing can be refunded, so one comes
 * soon; and refunds come in groups, since only simultaneous ones can promise the same rest twice.
 */
const rounds = fc
  .tuple(
    fc.array(fc.oneof(capture, refund), { maxLength: 2 }),
    fc.array(capture, { minLength: 1, maxLength: 3 }),
    fc.array(fc.array(mixed, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
  )
  .map(([before, captures, after]) => [before, captures, ...after]);

describe('any sequence of captures and refunds from several clients', () => {
  let bench: Bench;
  const hosts: PaymentsHost[] = [];
  beforeAll(async () => {
    bench = await openBench();
    for (let index = 0; index < CLIENTS; index += 1) hosts.push(await bench.startHost());
  });
  afterAll(() => bench.close());

  async function held(): Promise<Payment> {
    const [host] = hosts;
    if (!host) throw new Error('No host was started.');
    const payment = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return paymentBecomes(host, payment.id, 'waiting_for_capture');
  }

  /**
   * A refusal with an error of its own is a right answer; anything else is not. Nor is it right to ask the service for more than
   * is left, unless somebody else may have refunded meanwhile.
   */
  async function take({ id, serviceId }: Payment, asked: Step, alone: boolean): Promise<void> {
    const amount = formatAmount(asked.amountMinor);
    try {
      if (asked.kind === 'refund in the Merchant Profile')
        bench.sandbox.refunds.make(serviceId ?? '', amount.value);
      else if (asked.kind === 'capture') await hosts[asked.client]?.payments.capture(id, { amount });
      else await hosts[asked.client]?.payments.refund(id, { refundKey: asked.refundKey, amount });
    } catch (error) {
      if (asked.kind === 'refund in the Merchant Profile') return;
      const tooMuch = asked.kind === 'refund' && alone && error instanceof OperationRefusedError;
      if (tooMuch || !(error instanceof PaymentsError)) throw error;
    }
  }

  it('keeps captured ≤ authorized and refunded ≤ captured, equal to the ledger', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (asked) => {
        const payment = await held();
        const alone = asked.flat().every(({ kind }) => kind !== 'refund in the Merchant Profile');
        for (const round of asked) await Promise.all(round.map((one) => take(payment, one, alone)));
        const totals = bench.sandbox.ledger.totals(payment.serviceId ?? '');
        for (const host of hosts) await reread(host, payment.id);
        const known = await eventually(
          async () => hosts[0]?.payments.get(payment.id),
          (seen) => seen?.refundedAmount.value === totals.refunded,
        );
        const captured = parseAmount({ value: totals.captured, currency: 'RUB' });
        const refunded = parseAmount({ value: totals.refunded, currency: 'RUB' });
        expect(captured).toBeLessThanOrEqual(AUTHORIZED_MINOR);
        expect(refunded).toBeLessThanOrEqual(captured);
        expect(known?.capturedAmount.value).toBe(totals.captured);
        expect(totals.captures).toBeLessThanOrEqual(1);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
