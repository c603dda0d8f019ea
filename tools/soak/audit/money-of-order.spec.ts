import { moneyOfOrder } from './money-of-order.js';

describe("an order's money by the service's ledger", () => {
  const of = (paymentId: string) => {
    const entry = { paymentId, amount: '50.00', requestKey: null, at: new Date(0).toISOString() };
    return { charge: { ...entry, kind: 'charge' as const }, cancel: { ...entry, kind: 'cancel' as const } };
  };

  it('turns once where its only hold ends', () => {
    const { charge, cancel } = of('one');
    expect(moneyOfOrder(50_00, [charge, cancel])).toMatchObject({ unpaid: 1, end: 'unpaid' });
  });

  it('may turn twice where two holds end: the shop may see one only after the other has ended', () => {
    const [one, other] = [of('one'), of('other')];
    const entries = [one.charge, other.charge, one.cancel, other.cancel];
    expect(moneyOfOrder(50_00, entries)).toMatchObject({ unpaid: 2, end: 'unpaid' });
  });
});
