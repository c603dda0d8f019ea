import type { OwnReceiptStatus } from './own-receipt.js';
import { excessOf, type KnownSaid, type ReceiptedMoney, type Said } from './receipt-bounds.js';
import type { KnownProblem } from './registered.js';

const payment = {
  status: 'succeeded',
  authorizedMinor: 100,
  capturedMinor: 100,
  receiptStatus: null,
} as const;
const bare: ReceiptedMoney = { payment, refunds: [], problems: [], totalDueMinor: 100 };
const sent: ReceiptedMoney = { ...bare, payment: { ...payment, receiptStatus: 'succeeded' } };
const refund = { id: 'r', status: 'succeeded', amountMinor: 30, receiptStatus: null } as const;

const said = (type: Said['type'], cashlessMinor: number, refundId: string | null = null): Said => ({
  type,
  refundId,
  cashlessMinor,
  prepaymentMinor: 0,
});
const offset = (type: Said['type'], prepaymentMinor: number, refundId: string | null = null): Said => ({
  ...said(type, 0, refundId),
  prepaymentMinor,
});
const known = (one: Said, status: OwnReceiptStatus = 'succeeded'): KnownSaid => ({
  id: 'own',
  ...one,
  status,
});
const byHand = (problem: Partial<KnownProblem>): KnownProblem => ({
  refundId: null,
  receiptId: null,
  status: 'canceled',
  resolution: {},
  ...problem,
});

const fits = (money: ReceiptedMoney, earlier: readonly KnownSaid[], receipt: Said) =>
  excessOf(money, earlier, receipt) === null;

describe('what receipts say of money', () => {
  it('is at most what was taken, with what went with it', () => {
    expect(fits(bare, [], said('payment', 100))).toBe(true);
    expect(excessOf(sent, [], said('payment', 1))).toEqual({
      what: 'cashless',
      saidMinor: 101,
      mostMinor: 100,
    });
    const part = { ...bare, payment: { ...payment, capturedMinor: 60 } };
    expect(fits(part, [], said('payment', 61))).toBe(false);
    const held = {
      ...bare,
      payment: { ...payment, status: 'waiting_for_capture', capturedMinor: 0 },
    } as const;
    expect(fits(held, [], said('payment', 100))).toBe(true);
  });

  it.each(['owed', 'submitting', 'pending', 'succeeded'] as const)('counts what is %s', (status) => {
    expect(fits(bare, [known(said('payment', 60), status)], said('payment', 41))).toBe(false);
  });

  it.each(['void', 'rejected', 'canceled'] as const)('does not count what is %s', (status) => {
    expect(fits(bare, [known(said('payment', 60), status)], said('payment', 100))).toBe(true);
  });

  it('has room again once the wrong one was returned, and no return is of more than was said', () => {
    expect(fits(sent, [], said('refund', 100))).toBe(true);
    const returned = [known(said('refund', 100))];
    expect(fits(sent, returned, said('payment', 100))).toBe(true);
    expect(fits(sent, returned, said('refund', 1))).toBe(false);
    const again = [...returned, known(said('payment', 100))];
    expect(fits(sent, again, said('refund', 100))).toBe(true);
  });

  it.each(['rejected', 'canceled'] as const)('counts what was %s, once it was made by hand', (status) => {
    const returned = [known(said('refund', 100), status)];
    expect(fits(sent, returned, said('payment', 100))).toBe(false);
    const made = { ...sent, problems: [byHand({ receiptId: 'own' })] };
    expect(fits(made, returned, said('payment', 100))).toBe(true);
    expect(fits(made, returned, said('refund', 1))).toBe(false);
  });

  it.each(['canceled', 'missing'] as const)('counts what of the money was %s and made by hand', (status) => {
    expect(fits({ ...bare, problems: [byHand({ status })] }, [], said('payment', 1))).toBe(false);
    const back = { ...sent, refunds: [refund], problems: [byHand({ status, refundId: 'r' })] };
    expect(fits(back, [], said('refund', 1, 'r'))).toBe(false);
    expect(fits(back, [], said('refund', 71))).toBe(false);
  });

  it('is given back once, by refunds and by returns together', () => {
    const back = { ...sent, refunds: [{ ...refund, receiptStatus: 'succeeded' }] } as const;
    expect(fits(back, [], said('refund', 70))).toBe(true);
    expect(fits(back, [], said('refund', 71))).toBe(false);
  });

  it('of a refund is at most that refund', () => {
    const back = { ...sent, refunds: [refund] };
    expect(fits(back, [], said('refund', 30, 'r'))).toBe(true);
    expect(fits(back, [known(said('refund', 20, 'r'))], said('refund', 11, 'r'))).toBe(false);
    const own = { ...sent, refunds: [{ ...refund, receiptStatus: 'pending' }] } as const;
    expect(fits(own, [], said('refund', 1, 'r'))).toBe(false);
  });

  it('offsets at most what the order costs, beside the money', () => {
    expect(fits(sent, [], offset('payment', 100))).toBe(true);
    expect(fits(sent, [known(offset('payment', 60))], offset('payment', 41))).toBe(false);
    expect(fits({ ...sent, totalDueMinor: 150 }, [known(offset('payment', 60))], offset('payment', 90))).toBe(
      true,
    );
    const wrong = [known(offset('payment', 100)), known(offset('refund', 100))];
    expect(fits(sent, wrong, offset('payment', 100))).toBe(true);
    expect(fits(sent, wrong, offset('refund', 1))).toBe(false);
    const back = { ...sent, refunds: [refund] };
    const settled = [known(offset('payment', 100))];
    expect(fits(back, settled, offset('refund', 100, 'r'))).toBe(true);
    const returned = [...settled, known(offset('refund', 60, 'r'))];
    expect(fits(back, returned, offset('refund', 41, 'r'))).toBe(false);
    expect(fits(back, returned, offset('refund', 41))).toBe(false);
    expect(fits(back, returned, offset('payment', 1))).toBe(false);
  });
});
