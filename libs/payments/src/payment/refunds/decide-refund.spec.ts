import * as fc from 'fast-check';
import { refundStatuses, type RefundStatus } from '../../common/refund-status.js';
import { decideRefund, type RefundRequest } from './decide-refund.js';
import { refundSums } from './refund-sums.js';

const paid = {
  intentKey: 'p',
  status: 'succeeded',
  capturedMinor: 100_00,
  windowMs: 1_000,
  ageMs: 1_000,
} as const;

const request = (fields: Partial<RefundRequest> = {}): RefundRequest => ({
  refundKey: 'new',
  amountMinor: null,
  description: null,
  metadata: {},
  receipt: null,
  receiptOf: null,
  lines: null,
  extra: {},
  ...fields,
});

let keys = 0;
const known = (
  status: RefundStatus,
  amountMinor: number,
  refundKey: string | null = `key-${(keys += 1)}`,
) => ({
  id: `refund-${refundKey}`,
  refundKey,
  status,
  amountMinor,
  whole: false,
  description: null,
  receiptDigest: null,
  metadata: {},
});

describe('a refund', () => {
  it('without an amount takes all that is left of what was captured', () => {
    expect(decideRefund(paid, [], request())).toEqual({ kind: 'open', amountMinor: 100_00 });
    expect(decideRefund(paid, [known('succeeded', 30_00)], request())).toEqual({
      kind: 'open',
      amountMinor: 70_00,
    });
  });

  it.each(['submitting', 'pending', 'succeeded'] as const)('leaves out what a %s one has', (status) => {
    const refunds = [known(status, 60_00)];
    expect(decideRefund(paid, refunds, request({ amountMinor: 40_00 }))).toMatchObject({ kind: 'open' });
    expect(decideRefund(paid, refunds, request({ amountMinor: 40_01 }))).toMatchObject({ kind: 'exceeded' });
  });

  it.each(['canceled', 'rejected'] as const)('may have what a %s one did not take', (status) => {
    expect(decideRefund(paid, [known(status, 100_00)], request())).toMatchObject({ amountMinor: 100_00 });
  });

  it('of more than is left names what is refunded and what is in flight', () => {
    const refunds = [known('succeeded', 30_00), known('pending', 20_00, null), known('submitting', 5_00)];
    expect(decideRefund(paid, refunds, request({ amountMinor: 50_00 }))).toEqual({
      kind: 'exceeded',
      refundedMinor: 30_00,
      inFlightMinor: 25_00,
    });
  });

  it('of all that is left, while all of it is in flight, is of nothing', () => {
    expect(decideRefund(paid, [known('pending', 100_00)], request())).toMatchObject({ kind: 'exceeded' });
  });

  it('made outside may leave less than is in flight', () => {
    const refunds = [known('succeeded', 80_00, null), known('submitting', 50_00)];
    expect(decideRefund(paid, refunds, request({ amountMinor: 1 }))).toMatchObject({ kind: 'exceeded' });
  });

  it('of a fully refunded payment has nothing to take', () => {
    const refunds = [known('succeeded', 60_00), known('succeeded', 40_00)];
    expect(decideRefund(paid, refunds, request({ amountMinor: 1 }))).toEqual({ kind: 'wholly-refunded' });
  });

  it.each(['submitting', 'pending', 'waiting_for_capture', 'canceled', 'rejected'] as const)(
    'of a %s payment is impossible',
    (status) => {
      const payment = { ...paid, status, capturedMinor: 0 };
      expect(decideRefund(payment, [], request())).toEqual({ kind: 'not-refundable', status });
    },
  );

  it('of a payment by a method that gives nothing back is impossible', () => {
    expect(decideRefund({ ...paid, windowMs: null }, [], request())).toEqual({
      kind: 'method-not-refundable',
    });
  });

  it('of an old payment is impossible', () => {
    expect(decideRefund({ ...paid, ageMs: 1_001 }, [], request())).toEqual({
      kind: 'too-old',
      windowMs: 1_000,
    });
  });
});

describe('a key that was used', () => {
  const part = {
    ...known('succeeded', 40_00, 'used'),
    description: 'Torn',
    metadata: { size: 'XL', shelf: '7' },
  };
  const whole = { ...known('pending', 100_00, 'used'), whole: true };
  const again = (fields: Partial<RefundRequest>) => request({ refundKey: 'used', ...fields });

  it.each(refundStatuses)('names the same refund, also when it is %s', (status) => {
    const same = again({ amountMinor: 40_00, description: 'Torn', metadata: { shelf: '7', size: 'XL' } });
    expect(decideRefund(paid, [{ ...part, status }], same)).toMatchObject({
      kind: 'same',
      refund: { id: part.id },
    });
  });

  it('names it even if the payment can no longer be refunded', () => {
    const same = again({ amountMinor: 40_00, description: 'Torn', metadata: { shelf: '7', size: 'XL' } });
    expect(decideRefund({ ...paid, ageMs: 1_001 }, [part], same)).toMatchObject({ kind: 'same' });
  });

  it('names all that was left, requested so or by its amount', () => {
    expect(decideRefund(paid, [whole], again({}))).toMatchObject({ kind: 'same' });
    expect(decideRefund(paid, [whole], again({ amountMinor: 100_00 }))).toMatchObject({ kind: 'same' });
  });

  it.each<[string, Partial<RefundRequest>]>([
    ['another amount', { amountMinor: 40_01 }],
    ['all that is left', { amountMinor: null }],
    ['another description', { description: 'Late' }],
    ['no description', { description: null }],
    ['other metadata', { metadata: { size: 'XL', shelf: '8' } }],
    ['less metadata', { metadata: { size: 'XL' } }],
    ['more metadata', { metadata: { size: 'XL', shelf: '7', row: '1' } }],
    ['no metadata', { metadata: {} }],
  ])('is refused for %s', (_name, fields) => {
    const { amountMinor, description, metadata } = part;
    const asked = again({ amountMinor, description, metadata, ...fields });
    expect(decideRefund(paid, [part], asked)).toEqual({ kind: 'key-reused' });
  });

  it('of a refund made outside is none', () => {
    const outside = known('succeeded', 40_00, null);
    expect(decideRefund(paid, [outside], again({ amountMinor: 40_00 }))).toMatchObject({ kind: 'open' });
  });
});

it('whatever is requested in whatever order, refunded and in flight never exceed what was captured', () => {
  const asked = fc.record({
    amountMinor: fc.option(fc.integer({ min: 1, max: 100_00 })),
    status: fc.constantFrom(...refundStatuses),
  });
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 12 }), (requests) => {
      const refunds: ReturnType<typeof known>[] = [];
      for (const { amountMinor, status } of requests) {
        const decision = decideRefund(paid, refunds, request({ amountMinor }));
        if (decision.kind === 'open') refunds.push(known(status, decision.amountMinor));
        const { refundedMinor, inFlightMinor } = refundSums(refunds);
        expect(refundedMinor + inFlightMinor).toBeLessThanOrEqual(paid.capturedMinor);
      }
    }),
  );
});
