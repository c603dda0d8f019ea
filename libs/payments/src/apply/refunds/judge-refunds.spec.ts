import type { ServiceRefund } from '../../api/service-refund.js';
import type { RefundStatus } from '../../common/refund-status.js';
import { refundIdOf } from '../../payment/intent-key.js';
import { readRefundMark, refundMark } from '../../payment/refunds/refund-mark.js';
import { judgeRefunds, listedRefund, wordsOf, type SeenRefund } from './judge-refunds.js';

const payment = { serviceId: 'payment-1', currency: 'RUB' as const, capturedMinor: 100_00 };

const object = (fields: Partial<ServiceRefund> = {}): ServiceRefund => ({
  id: 'service-1',
  paymentId: 'payment-1',
  status: 'succeeded',
  amountMinor: 40_00,
  currency: 'RUB',
  createdAt: null,
  cancellation: null,
  receiptStatus: null,
  description: null,
  metadata: {},
  kept: {},
  ...fields,
});
const seen = (fields: Partial<ServiceRefund> = {}, ourId: string | null = null): SeenRefund => ({
  object: object(fields),
  ourId,
  marked: null,
});

const refund = (id: string, status: RefundStatus, serviceId: string | null, amountMinor = 40_00) => ({
  id,
  status,
  serviceId,
  amountMinor,
  receiptStatus: null,
});
const sent = refund('ours', 'submitting', null);

describe('a refund that the service reports', () => {
  it.each(['pending', 'succeeded', 'canceled'] as const)(
    'moves ours, named by its metadata, to %s',
    (status) => {
      expect(judgeRefunds(payment, [sent], [seen({ status }, 'ours')])).toMatchObject({
        changes: [{ kind: 'move', refund: sent, to: status }],
        anomalies: [],
      });
    },
  );

  it('changes only its receipt if nothing else is new', () => {
    const known = refund('ours', 'succeeded', 'service-1');
    expect(judgeRefunds(payment, [known], [seen({ receiptStatus: 'succeeded' })])).toMatchObject({
      changes: [{ kind: 'receipt', refund: known }],
      anomalies: [],
    });
    const reported = { ...known, receiptStatus: 'succeeded' as const };
    expect(judgeRefunds(payment, [reported], [seen({ receiptStatus: 'succeeded' })]).changes).toEqual([]);
    expect(judgeRefunds(payment, [reported], [seen()]).changes).toEqual([]);
  });

  it("moves ours by the service's id, whatever its metadata says", () => {
    const known = refund('ours', 'pending', 'service-1');
    expect(judgeRefunds(payment, [known], [seen()]).changes).toMatchObject([
      { refund: known, to: 'succeeded' },
    ]);
  });

  it.each(['pending', 'succeeded', 'canceled'] as const)('made outside is opened as %s', (status) => {
    expect(judgeRefunds(payment, [sent], [seen({ status })])).toMatchObject({
      changes: [{ kind: 'open', status, object: { id: 'service-1' } }],
      anomalies: [],
    });
  });

  it('marked with an id that is not ours is made outside', () => {
    expect(judgeRefunds(payment, [sent], [seen({}, 'theirs')]).changes).toMatchObject([{ kind: 'open' }]);
  });

  it.each<[RefundStatus, string]>([
    ['pending', 'pending'],
    ['succeeded', 'succeeded'],
    ['canceled', 'canceled'],
    ['succeeded', 'pending'],
    ['canceled', 'pending'],
  ])('and is %s here changes nothing as %s', (status, reported) => {
    const known = refund('ours', status, 'service-1');
    expect(judgeRefunds(payment, [known], [seen({ status: reported })])).toEqual({
      changes: [],
      anomalies: [],
    });
  });
});

describe('applied to nothing is a refund', () => {
  const inFlight = refund('ours', 'pending', 'service-1');

  it.each<[string, Partial<ServiceRefund>, RegExp]>([
    ['of another payment', { paymentId: 'payment-2' }, /belongs to payment payment-2/],
    ['in another currency', { currency: 'USD' }, /is in USD instead of RUB/],
    ['of another amount', { amountMinor: 40_01 }, /is of 40.01 instead of 40.00/],
    ['of an unknown status', { status: 'on_hold' }, /has the unknown status on_hold/],
  ])('%s', (_name, fields, reason) => {
    const { changes, anomalies } = judgeRefunds(payment, [inFlight], [seen(fields)]);
    expect(changes).toEqual([]);
    expect(anomalies).toEqual([expect.stringMatching(reason)]);
  });

  it('of nothing, made outside', () => {
    const { changes, anomalies } = judgeRefunds(payment, [], [seen({ amountMinor: 0 })]);
    expect({ changes, anomalies }).toEqual({ changes: [], anomalies: ['refund service-1 is of nothing'] });
  });

  it.each<[RefundStatus, string]>([
    ['succeeded', 'canceled'],
    ['canceled', 'succeeded'],
  ])('that was %s and is %s now', (status, reported) => {
    const known = refund('ours', status, 'service-1');
    expect(judgeRefunds(payment, [known], [seen({ status: reported })])).toMatchObject({
      changes: [],
      anomalies: [`refund service-1 is ${reported}, against the final status ${status}`],
    });
  });

  it('that is known as another one of this payment', () => {
    const outside = refund('outside', 'succeeded', 'service-1');
    expect(judgeRefunds(payment, [sent, outside], [seen({}, 'ours')])).toMatchObject({
      changes: [],
      anomalies: ['refund service-1 is known as another one of this payment'],
    });
  });
});

describe('several refunds at once', () => {
  it('are each judged separately: one that does not fit keeps no other from being applied', () => {
    const reported = [seen({ currency: 'USD' }, 'ours'), seen({ id: 'service-2', amountMinor: 10_00 })];
    const { changes, anomalies } = judgeRefunds(payment, [sent], reported);
    expect(changes).toMatchObject([{ kind: 'open', object: { id: 'service-2' } }]);
    expect(anomalies).toHaveLength(1);
  });

  it('that together exceed what was captured change nothing at all', () => {
    const reported = [seen({ id: 'a', amountMinor: 60_00 }), seen({ id: 'b', amountMinor: 40_01 })];
    expect(judgeRefunds(payment, [], reported)).toEqual({
      changes: [],
      anomalies: ['100.01 refunded of 100.00'],
    });
  });

  it('may add up to all that was captured, what is in flight or canceled not counted', () => {
    const reported = [
      seen({ id: 'a', amountMinor: 60_00 }),
      seen({ id: 'b', amountMinor: 40_00 }, 'ours'),
      seen({ id: 'c', amountMinor: 90_00, status: 'canceled' }),
      seen({ id: 'd', amountMinor: 90_00, status: 'pending' }),
    ];
    expect(judgeRefunds(payment, [sent], reported)).toMatchObject({ changes: { length: 4 }, anomalies: [] });
  });

  it('made twice for one of ours both count, and it is reported to the operator', () => {
    const reported = [seen({ id: 'a' }, 'ours'), seen({ id: 'b' }, 'ours')];
    expect(judgeRefunds(payment, [sent], reported)).toMatchObject({
      changes: [
        { kind: 'move', refund: sent },
        { kind: 'open', object: { id: 'b' } },
      ],
      anomalies: ['refund b names refund ours, as refund a does'],
    });
  });

  it('include one that we had given up: its money counts, and it is reported to the operator', () => {
    const rejected = refund('ours', 'rejected', null);
    expect(judgeRefunds(payment, [rejected], [seen({}, 'ours')])).toMatchObject({
      changes: [{ kind: 'open', status: 'succeeded' }],
      anomalies: ['refund service-1 names refund ours, which is over'],
    });
  });
});

describe('of a refund made outside', () => {
  it('description and metadata are its maker’s', () => {
    const words = { description: 'Torn 🍵', metadata: { desk: 'A 🍵' } };
    expect(wordsOf(words, null)).toEqual(words);
    expect(wordsOf({ description: null, metadata: {} }, null)).toEqual({ description: null, metadata: {} });
  });

  it('text that the database cannot store is left out, and so is what is no text', () => {
    const half = '🍵'.slice(0, 1);
    const metadata = { [`de${half}sk`]: `A${half}\u0000`, count: 7, nothing: null, deep: { desk: 'B' } };
    expect(wordsOf({ description: `To\u0000rn${half}`, metadata }, null)).toEqual({
      description: 'Torn',
      metadata: { desk: 'A' },
    });
  });
});

describe('a refund in a list', () => {
  const of = { intentKey: 'intent' };
  const profile = { refundMetadataKey: 'mark' };
  const mark = refundMark(of, { refundKey: 'one', whole: false, receiptDigest: null });

  it('is ours by its mark', () => {
    const marked = object({ metadata: { mark } });
    expect(listedRefund(of, marked, profile)).toEqual({
      object: marked,
      marked: expect.objectContaining({ refundKey: 'one' }),
      ourId: refundIdOf(of, 'one'),
    });
    const other = object({ metadata: { other: mark } });
    expect(listedRefund(of, other, profile)).toEqual({ object: other, marked: null, ourId: null });
  });

  it('that is another one of ours, forgotten here, is opened once', () => {
    const marked = readRefundMark(of, mark);
    const both = ['a', 'b'].map((id) => ({ ...seen({ id, amountMinor: 10_00 }, 'forgotten'), marked }));
    const { changes, anomalies } = judgeRefunds(payment, [], both);
    expect(changes).toMatchObject([
      { kind: 'open', forgotten: marked },
      { kind: 'open', forgotten: null },
    ]);
    expect(anomalies).toEqual(['refund b names refund forgotten, which is over']);
    const unmarked = both.map((one) => ({ ...one, marked: null }));
    expect(judgeRefunds(payment, [], unmarked).anomalies).toEqual([]);
  });

  it('with news of its receipt alone counts once', () => {
    const whole = refund('ours', 'succeeded', 'service-1', 100_00);
    const { changes, anomalies } = judgeRefunds(
      payment,
      [whole],
      [seen({ amountMinor: 100_00, receiptStatus: 'pending' })],
    );
    expect([changes, anomalies]).toMatchObject([[{ kind: 'receipt' }], []]);
  });
});
