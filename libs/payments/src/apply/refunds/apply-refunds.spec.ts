import {
  draftWith,
  earlier,
  NOW,
  operationRow,
  paidRow,
  problemRow,
  refundObject,
  refundRow,
  TERMS,
  told,
} from '../../../../../test/support/state.js';
import { RefundNotAcceptableError } from '../../common/payments.errors.js';
import { refundIdOf } from '../../payment/intent-key.js';
import type { RefundRow } from '../../schema/rows.js';
import { acceptRefund } from './accept-refund.js';
import { applyRefundList, applyRefunds, rejectRefund } from './apply-refunds.js';
import type { SeenRefund } from './judge-refunds.js';

const decided = { cause: 'sweep', evidence: { source: 'list' } } as const;
const sent = refundRow();
const operation = operationRow({ kind: 'refund', refundId: sent.id });
const before = draftWith(paidRow({ refundReservedMinor: 3_000 }), {
  refunds: [sent],
  operations: [operation],
});
const seen = (object: Parameters<typeof refundObject>[0] = {}, of: Partial<SeenRefund> = {}): SeenRefund => ({
  object: refundObject(object),
  ourId: sent.id,
  marked: null,
  ...of,
});
const withRefund = (fields: Partial<RefundRow>, draft = before) => ({
  ...draft,
  refunds: [{ ...sent, ...fields }],
});

describe('a refund that the service shows', () => {
  it('is confirmed with what is said of it, and its money has left', () => {
    const { draft, anomalies } = applyRefunds(before, [seen({ description: null })], decided, TERMS);
    expect(anomalies).toEqual([]);
    expect(draft.refunds).toMatchObject([
      { status: 'succeeded', serviceId: 'rf-1', object: { id: 'rf-1' }, updatedAt: NOW },
    ]);
    expect(draft.payment).toMatchObject({ refundedMinor: 3_000, refundReservedMinor: 0 });
    expect(draft.operations).toMatchObject([{ outcome: 'confirmed', settledAt: NOW, leaseUntil: null }]);
    expect(draft.events).toMatchObject([
      {
        name: 'refund.succeeded',
        subject: { type: 'refund', id: sent.id },
        from: 'submitting',
        to: 'succeeded',
        cause: 'sweep',
        evidence: {
          refundId: sent.id,
          refundKey: 'refund',
          amountMinor: 3_000,
          serviceStatus: 'succeeded',
          serviceId: 'rf-1',
          source: 'list',
        },
      },
    ]);
  });

  it('keeps its money reserved while it is on its way, and frees it where it was canceled', () => {
    const pending = applyRefunds(before, [seen({ status: 'pending' })], decided, TERMS).draft;
    expect(pending.payment).toMatchObject({ refundedMinor: 0, refundReservedMinor: 3_000 });
    const cancellation = { party: 'payment_network', reason: 'rejected_by_payee' };
    const canceled = applyRefunds(before, [seen({ status: 'canceled', cancellation })], decided, TERMS).draft;
    expect(canceled.payment).toMatchObject({ refundedMinor: 0, refundReservedMinor: 0 });
    expect(canceled.refunds).toMatchObject([{ status: 'canceled', cancellation }]);
  });

  it('leaves operations of others, and those that are over, as they are', () => {
    const other = operationRow({ id: 'other', kind: 'refund', refundId: 'other' });
    const over = { ...operation, id: 'over', outcome: 'refused', settledAt: earlier(5) } as const;
    const { draft } = applyRefunds({ ...before, operations: [other, over] }, [seen()], decided, TERMS);
    expect(draft.operations).toEqual([other, over]);
  });

  it('that does not fit is reported, and changes nothing', () => {
    const { draft, anomalies } = applyRefunds(before, [seen({ currency: 'USD' })], decided, TERMS);
    expect(anomalies).toHaveLength(1);
    expect([draft.refunds, draft.events, draft.operations]).toEqual([before.refunds, [], before.operations]);
  });

  it('that was made elsewhere is recorded as one without a key', () => {
    const { draft } = applyRefunds(
      draftWith(paidRow()),
      [seen({ createdAt: earlier(7), status: 'pending' }, { ourId: null })],
      decided,
      TERMS,
    );
    expect(draft.refunds).toMatchObject([
      {
        refundKey: null,
        serviceId: 'rf-1',
        status: 'pending',
        amountMinor: 3_000,
        createdAt: earlier(7),
        updatedAt: NOW,
      },
    ]);
    expect(draft.events).toMatchObject([{ name: 'refund.pending', cause: 'sweep' }]);
    expect(draft.operations).toEqual([]);
  });

  it('that the database has forgotten is recorded again, with its operation', () => {
    const marked = { refundKey: 'mine', whole: false, receiptDigest: null };
    const payment = paidRow();
    const ourId = refundIdOf(payment, 'mine');
    const { draft } = applyRefunds(draftWith(payment), [seen({}, { ourId, marked })], decided, TERMS);
    expect(draft.refunds).toMatchObject([{ id: ourId, refundKey: 'mine', status: 'succeeded' }]);
    expect(draft.operations).toMatchObject([{ kind: 'refund', refundId: ourId, outcome: 'confirmed' }]);
    expect(draft.events).toMatchObject([{ cause: 'recovery' }]);
  });
});

describe('the receipt of a refund', () => {
  const known = withRefund({
    status: 'succeeded',
    serviceId: 'rf-1',
    receiptStatus: 'pending',
    updatedAt: NOW,
  });

  it.each([
    ['succeeded', ['receipt.succeeded']],
    ['canceled', ['receipt.failed']],
    ['pending', []],
  ] as const)('is reported: %s', (receiptStatus, names) => {
    const { draft } = applyRefunds(known, [seen({ receiptStatus }, { ourId: null })], decided, TERMS);
    expect(told(draft)).toEqual(names);
    expect(draft.refunds).toMatchObject([{ receiptStatus }]);
  });

  it('is late after its time', () => {
    const late = withRefund({ ...known.refunds[0], updatedAt: earlier(TERMS.receiptLateMs) });
    const { draft } = applyRefunds(late, [], decided, TERMS);
    expect(draft.events).toMatchObject([{ name: 'receipt.late', evidence: { refundId: sent.id } }]);
  });

  it('is not needed where the refund was not made', () => {
    const problems = [problemRow({ refundId: sent.id, status: 'pending' })];
    const canceled = withRefund({ status: 'canceled', receiptStatus: 'canceled' }, { ...before, problems });
    const { draft } = applyRefunds(canceled, [], decided, TERMS);
    expect(told(draft)).toEqual(['receipt.not_needed']);
  });
});

describe('the list of all refunds', () => {
  const list = (fields: Partial<Parameters<typeof applyRefundList>[1]>) =>
    applyRefundList(before, { listed: [], lost: [], signals: 0, ...fields }, 'sweep', TERMS).draft;
  const lost = [{ refundId: sent.id, attempts: 1 }];

  it('says nothing where it was not asked for', () => {
    expect(list({ listed: null, lost })).toBe(before);
  });

  it('shows what the service has', () => {
    expect(list({ listed: [seen()] }).refunds).toMatchObject([{ status: 'succeeded' }]);
  });

  it('closes what the service never received, and frees its money', () => {
    const draft = list({ lost });
    expect(draft.refunds).toMatchObject([{ status: 'rejected' }]);
    expect(draft.payment.refundReservedMinor).toBe(0);
    expect(draft.operations).toMatchObject([{ outcome: 'refused', settledAt: NOW }]);
    expect(draft.events).toMatchObject([
      { name: 'refund.rejected', evidence: { reason: 'never received', attempts: 1 } },
    ]);
  });

  it('closes nothing that was answered, or sent again, meanwhile', () => {
    expect(list({ lost: [{ refundId: sent.id, attempts: 2 }] })).toEqual(before);
    expect(list({ lost: [{ refundId: 'unknown', attempts: 1 }] })).toEqual(before);
    expect(list({ listed: [seen({ status: 'pending' })], lost }).refunds).toMatchObject([
      { status: 'pending' },
    ]);
  });

  it('gives a refund under a key that was used the sum that the service gave back', () => {
    const reused = { ...operation, lastError: { code: 'service_key_reused' } };
    const marked = { refundKey: 'refund', whole: true, receiptDigest: null };
    const object = seen({ amountMinor: 2_000 }, { marked });
    const draft = applyRefundList(
      { ...before, operations: [reused] },
      { listed: [object], lost: [], signals: 0 },
      'sweep',
      TERMS,
    ).draft;
    expect(draft.refunds).toMatchObject([{ status: 'succeeded', amountMinor: 2_000 }]);
    const { draft: other, anomalies } = applyRefundList(
      before,
      { listed: [object], lost: [], signals: 0 },
      'sweep',
      TERMS,
    );
    expect(other.refunds).toEqual(before.refunds);
    expect(anomalies).toHaveLength(1);
  });
});

describe('a refund that is over', () => {
  it('frees what it had reserved', () => {
    const draft = rejectRefund(before, sent.id, decided);
    expect(draft.refunds).toMatchObject([{ status: 'rejected', updatedAt: NOW }]);
    expect(draft.payment.refundReservedMinor).toBe(0);
    expect(() => rejectRefund(before, 'unknown', decided)).toThrow(/There is no refund unknown/);
    expect(() => rejectRefund(withRefund({ status: 'succeeded' }), sent.id, decided)).toThrow(/never moves/);
  });

  it('reserves no more than is left, where one made elsewhere took its money', () => {
    const whole = withRefund(
      { amountMinor: 9_000 },
      { ...before, payment: paidRow({ refundReservedMinor: 9_000 }) },
    );
    const { draft } = applyRefunds(whole, [seen({ amountMinor: 4_000 }, { ourId: null })], decided, TERMS);
    expect(draft.payment).toMatchObject({ refundedMinor: 4_000, refundReservedMinor: 6_000 });
  });
});

describe('a refund of another sum that a person accepts', () => {
  const accept = (object: Parameters<typeof refundObject>[0]) =>
    acceptRefund(before, sent.id, refundObject(object), decided, TERMS);

  it('is as the service made it', () => {
    const draft = accept({ amountMinor: 2_500 });
    expect(draft.refunds).toMatchObject([{ status: 'succeeded', amountMinor: 2_500 }]);
    expect(draft.payment).toMatchObject({ refundedMinor: 2_500, refundReservedMinor: 0 });
  });

  it('leaves the sums of others as they are', () => {
    const other = refundRow({ id: 'other', status: 'succeeded', amountMinor: 1_000 });
    const both = { ...before, refunds: [other, sent] };
    const draft = acceptRefund(both, sent.id, refundObject({ amountMinor: 2_500 }), decided, TERMS);
    expect(draft.refunds).toMatchObject([other, { amountMinor: 2_500, updatedAt: NOW }]);
  });

  it('is refused where it does not fit the payment either, or says nothing new', () => {
    expect(() => accept({ amountMinor: 10_001 })).toThrow(RefundNotAcceptableError);
    expect(() => accept({ status: 'unheard_of' })).toThrow(RefundNotAcceptableError);
    expect(() => accept({ status: 'unheard_of' })).toThrow(/has the unknown status unheard_of/);
    const pending = { ...before, refunds: [{ ...sent, status: 'pending', serviceId: 'rf-1' } as const] };
    const again = () => acceptRefund(pending, sent.id, refundObject({ status: 'pending' }), decided, TERMS);
    expect(again).toThrow(/the service has it as pending still/);
  });
});

describe('the receipt of a refund', () => {
  const registered = refundRow({
    id: 'registered',
    status: 'succeeded',
    serviceId: 'rf-0',
    amountMinor: 1_000,
    receiptStatus: 'succeeded',
  });
  const plain = refundRow({ id: 'plain', status: 'succeeded', serviceId: 'rf-2', amountMinor: 1_000 });

  it('is told once, whatever others have', () => {
    const draft = { ...before, refunds: [registered, plain, sent] };
    const news = [seen({ receiptStatus: 'succeeded' })];
    expect(told(applyRefunds(draft, news, decided, TERMS).draft)).toEqual([
      'refund.succeeded',
      'receipt.succeeded',
    ]);
    const again = {
      ...draft,
      refunds: [registered, { ...sent, status: 'succeeded', serviceId: 'rf-1' } as const],
    };
    expect(told(applyRefunds(again, news, decided, TERMS).draft)).toEqual(['receipt.succeeded']);
    expect(told(applyRefunds(draft, [], decided, TERMS).draft)).toEqual([]);
  });
});

it('what a list shows is told by its cause', () => {
  const { draft } = applyRefundList(before, { listed: [seen()], lost: [], signals: 0 }, 'recovery', TERMS);
  expect(draft.events).toMatchObject([{ cause: 'recovery', evidence: { source: 'list' } }]);
});
