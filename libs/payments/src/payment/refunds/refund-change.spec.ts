import {
  draftWith,
  earlier,
  NOW,
  paidRow,
  PAYMENT_ID,
  refundObject,
  refundRow,
} from '../../../../../test/support/state.js';
import { fieldsOf, moveRefund, openRefund, sayRefund } from './refund-change.js';

const decided = { cause: 'refund', evidence: { attempt: 1 } } as const;
const refund = refundRow();
const other = refundRow({ id: 'other', status: 'succeeded', amountMinor: 2_000 });
const paid = draftWith(paidRow({ refundedMinor: 2_000 }), { refunds: [other] });
const beside = { ...paid, refunds: [other, refund] };
const eventOf = (name: string, from: string | null, to: string) => ({
  storeId: refund.storeId,
  subject: { type: 'refund', id: refund.id },
  paymentId: PAYMENT_ID,
  name,
  from,
  to,
  cause: 'refund',
  evidence: { refundId: refund.id, refundKey: 'refund', amountMinor: 3_000, attempt: 1 },
});

describe('a refund', () => {
  it('that is opened is told, and reserves its money', () => {
    const draft = openRefund(paid, refund, decided);
    expect(draft.refunds).toEqual([other, refund]);
    expect(draft.payment).toMatchObject({ refundedMinor: 2_000, refundReservedMinor: 3_000 });
    expect(draft.events).toEqual([eventOf('refund.submitting', null, 'submitting')]);
  });

  it('that moves is told after what was told before, and says what the service said', () => {
    const before = openRefund(paid, refund, decided);
    const said = { serviceId: 'rf-1', receiptStatus: 'pending', object: { id: 'rf-1' } } as const;
    const draft = moveRefund(before, refund, 'succeeded', said, decided);
    const moved = { ...refund, ...said, status: 'succeeded', updatedAt: NOW };
    expect(draft.refunds).toEqual([other, moved]);
    expect(draft.payment).toMatchObject({ refundedMinor: 5_000, refundReservedMinor: 0 });
    expect(draft.events).toEqual([
      eventOf('refund.submitting', null, 'submitting'),
      eventOf('refund.succeeded', 'submitting', 'succeeded'),
    ]);
  });

  it('never leaves a status that is final', () => {
    const made = refundRow({ status: 'succeeded' });
    expect(() => moveRefund({ ...paid, refunds: [made] }, made, 'canceled', {}, decided)).toThrow(
      'A refund never moves from succeeded to canceled.',
    );
  });

  it('that stays is told to nobody, and keeps what the service says nothing of', () => {
    const known = {
      serviceId: 'rf-1',
      cancellation: { party: 'yoo_money', reason: 'expired_on_confirmation' },
      receiptStatus: 'pending',
      object: { id: 'rf-1' },
      updatedAt: earlier(5),
    } as const;
    const draft = { ...paid, refunds: [other, { ...refund, ...known }] };
    const [, row = refund] = draft.refunds;
    expect(sayRefund(draft, row, {}).refunds).toEqual([other, row]);
    const news = {
      serviceId: 'rf-2',
      cancellation: { party: 'merchant', reason: 'general_decline' },
      receiptStatus: 'succeeded',
      object: { id: 'rf-2' },
    } as const;
    expect(sayRefund(draft, row, news)).toMatchObject({ refunds: [other, { ...row, ...news }], events: [] });
  });

  it('takes over what the service says, of its receipt only if anything is said', () => {
    const cancellation = { party: 'merchant', reason: 'general_decline' };
    expect(fieldsOf(refundObject({ cancellation }))).toEqual({
      serviceId: 'rf-1',
      cancellation,
      object: { id: 'rf-1' },
    });
    expect(fieldsOf(refundObject({ receiptStatus: 'succeeded' }))).toMatchObject({
      receiptStatus: 'succeeded',
    });
  });
});

it('what is in flight can be promised only as far as a refund made elsewhere leaves money for it', () => {
  const whole = refundRow({ id: 'whole', amountMinor: 9_000, status: 'succeeded' });
  expect(openRefund(beside, { ...whole, amountMinor: 6_000 }, decided).payment).toMatchObject({
    refundedMinor: 8_000,
    refundReservedMinor: 2_000,
  });
});
