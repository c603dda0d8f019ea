import { about, entry, find, service, shop, theirPayment, wished } from './sound-books.js';

const HELD_AT = Date.parse('2026-01-01T00:00:00.000Z');
const DAY_MS = 24 * 60 * 60_000;
const [charge, capture, refund] = service.ledger;
if (!charge || !capture || !refund) throw new Error('The ledger is empty.');

const cancel = (days = 0) => ({
  ...entry('cancel', '100.00', 'key-2'),
  at: new Date(HELD_AT + days * DAY_MS).toISOString(),
});
const captured = (days: number) => ({
  ...entry('capture', '100.00', 'key-2'),
  at: new Date(HELD_AT + days * DAY_MS).toISOString(),
});
const nothingAsked = { captures: [], refunds: [] };
const unwanted = (found: readonly string[]) => found.filter((finding) => finding.includes('nobody wanted'));
const undone = (found: readonly string[]) => found.filter((finding) => finding.includes('was never'));

describe('what buyers and staff wanted', () => {
  it('is missed where a paid hold is canceled that its policy would have kept', () => {
    const found = (holdPolicy: 'flag' | 'capture' | 'cancel', days: number) =>
      unwanted(
        find({
          wishes: [wished({ finish: 'left', holdPolicy }, nothingAsked)],
          service: { ledger: [charge, cancel(days)] },
        }),
      );
    expect(found('cancel', 6)).toEqual([]);
    for (const [policy, days] of [
      ['cancel', 0],
      ['flag', 6],
      ['capture', 6],
    ] as const)
      expect(found(policy, days)).toEqual([
        `wrong: a cancel of 100.00 of payment theirs of order-1, which nobody wanted (hold policy ${policy})`,
      ]);
  });

  it('is what staff canceled, what another payment took the place of, and what the service let go', () => {
    const asked = { ...nothingAsked, cancels: [{ serviceId: 'theirs', amountMinor: 100_00, told: [] }] };
    const replaced = wished({ changedTo: 50_00 }, nothingAsked);
    replaced.offered('other', 50_00);
    const found = (wishes: ReturnType<typeof wished>, entries = [charge, cancel()]) =>
      unwanted(find({ wishes: [wishes], service: { ledger: entries } }));
    expect(found(wished({}, asked))).toEqual([]);
    expect(found(replaced)).toEqual([]);
    expect(found(wished({}, nothingAsked), [charge, { ...cancel(7), requestKey: null }])).toEqual([]);
    replaced.offered('theirs', 100_00);
    expect(found(replaced)).toHaveLength(1);
  });

  it('is missed where a hold is captured, or another sum of it', () => {
    const found = (wishes: ReturnType<typeof wished>, entries: typeof service.ledger) =>
      unwanted(find({ wishes: [wishes], service: { ledger: entries } }));
    const left = wished({ finish: 'left', holdPolicy: 'capture' }, nothingAsked);
    expect(found(left, [charge, captured(6)])).toEqual([]);
    expect(found(left, [charge, captured(0)])).toHaveLength(1);
    expect(
      found(wished({ finish: 'left', holdPolicy: 'flag' }, nothingAsked), [charge, captured(6)]),
    ).toHaveLength(1);
    expect(found(wished({}, { refunds: [] }), [charge, captured(0)])).toHaveLength(1);
    expect(found(wished({ finish: 'by the handler' }, nothingAsked), [charge, captured(0)])).toEqual([]);
  });

  it('is missed where another sum is refunded, or under another name', () => {
    const found = (changed: Parameters<typeof wished>[1]) =>
      unwanted(find({ wishes: [wished({}, changed)] }));
    const ask = { serviceId: 'theirs', amountMinor: 30_00, told: [], refundKey: 'return-1' };
    expect(found({ refunds: [ask] })).toEqual([]);
    expect(found({ refunds: [{ ...ask, amountMinor: 20_00 }] })).toHaveLength(1);
    expect(found({ refunds: [{ ...ask, refundKey: 'return-2' }] })).toHaveLength(1);
    expect(found({ refunds: [{ ...ask, refundKey: null }] })).toHaveLength(1);
  });

  it('is missed where staff were told that it was done', () => {
    const nothing = { ledger: [charge], refunds: [] };
    const ask = { serviceId: 'theirs', amountMinor: 100_00, told: ['canceled'] };
    expect(undone(find({ wishes: [wished({}, { cancels: [ask] })], service: nothing }))).toEqual([
      'lost: payment theirs of order-1 was never captured, as staff were told, at the service',
      'lost: payment theirs of order-1 was never canceled, as staff were told, at the service',
      'lost: payment theirs of order-1 was never refunded under "return-1", as staff were told, at the service',
    ]);
    expect(undone(find({ wishes: [wished({}, nothingAsked)], service: nothing }))).toEqual([]);
  });

  it('is missed where a handler wanted it', () => {
    const byHandler = wished({ finish: 'by the handler', refundedByHandler: true }, nothingAsked);
    const found = (books: Partial<typeof service>) => undone(find({ wishes: [byHandler], service: books }));
    expect(found({ ledger: [charge], refunds: [] })).toEqual([
      'lost: payment theirs of order-1 was never captured, as its handler wanted, at the service',
    ]);
    expect(found({ ledger: [charge, captured(0)], refunds: [] })).toEqual([
      'lost: payment theirs of order-1 was never refunded, as its handler wanted, at the service',
    ]);
    expect(found({ ledger: [charge, captured(0)] })).toEqual([]);
    const outlived = [{ kind: 'capture', paymentId: 'ours', servicePaymentId: 'theirs' }] as const;
    const nothing = { ledger: [charge], refunds: [] };
    expect(undone(find({ wishes: [byHandler], service: nothing, shop: { outlived } }))).toEqual([]);
  });
});

describe('what handlers live by', () => {
  const without = (name: string) => shop.events.filter((event) => event.name !== name);

  it('is missed where an order was paid, and nobody was told', () => {
    expect(find({ shop: { events: without('order.paid') } })).toContain(
      'lost: order order-1 has 0 events order.paid, not 1',
    );
  });

  it('is told once', () => {
    expect(find({ shop: { events: [...shop.events, ...shop.events.slice(-1)] } })).toContain(
      'doubled: order order-1 has 2 events order.paid, not 1',
    );
  });

  it('is missed where a hold that was captured was never told', () => {
    expect(find({ shop: { events: without('payment.waiting_for_capture') } })).toContain(
      'lost: payment ours has 0 events payment.waiting_for_capture, not 1',
    );
  });

  it('has a handler', () => {
    const handlers = shop.handlers.filter(({ event }) => event !== 'order.paid');
    expect(find({ shop: { handlers } })).toContain('wrong: nobody handles order.paid');
  });

  it('has a reason', () => {
    const found = (name: string) => find({ shop: { events: [...shop.events, { id: '9', name, ...about }] } });
    expect(found('order.overpaid')).toContain('wrong: order order-1 has 1 events order.overpaid, not 0');
    expect(found('order.unpaid')).toContain('wrong: order order-1 has 1 events order.unpaid, not 0');
  });

  it('needs no person, but for what comes right by itself', () => {
    const anomaly = { id: '9', name: 'payment.anomaly', ...about, reason: 'it is odd' };
    const found = (endsByItself: boolean) =>
      find({ shop: { events: [...shop.events, { ...anomaly, endsByItself }] } });
    expect(found(true)).toEqual([]);
    expect(found(false)).toEqual(['wrong: payment ours needs a person: it is odd']);
    const forgotten = { ...shop.forgotten, keys: new Set(['key-2']) };
    const events = [...shop.events, { ...anomaly, endsByItself: false }];
    expect(find({ shop: { events, forgotten } })).toEqual([]);
  });

  it('needs a person for a capture that was cut off for longer than its key lives, and for nothing else of that payment', () => {
    const anomaly = { id: '9', name: 'payment.anomaly', ...about, endsByItself: false };
    const outlived = [{ kind: 'capture', paymentId: 'ours', servicePaymentId: 'theirs' }] as const;
    const found = (reason: string) =>
      find({ shop: { events: [...shop.events, { ...anomaly, reason }], outlived } });
    expect(found('the capture did not take effect; the payment is waiting_for_capture')).toEqual([]);
    for (const other of ['it is odd', 'the service has never received its receipt own'])
      expect(found(other)).toEqual([`wrong: payment ours needs a person: ${other}`]);
  });

  it('is told where more is kept than is due', () => {
    const cheaper = wished();
    cheaper.offers.splice(0, 1, { serviceId: 'theirs', amountMinor: 40_00 });
    expect(find({ wishes: [cheaper] })).toContain('lost: order order-1 has 0 events order.overpaid, not 1');
  });

  it('may be anything where nobody knows what is due', () => {
    expect(find({ wishes: [wished({}, { isDoubtful: true })] })).toEqual([]);
  });

  it('is told of what was given back', () => {
    const ledger = [charge, capture, { ...refund, amount: '80.00' }];
    expect(find({ service: { ledger } })).toContain('lost: order order-1 has 0 events order.refunded, not 1');
  });

  it('is told of what the service let go', () => {
    const payments = [{ ...theirPayment, cancellationReason: 'expired_on_capture' }];
    expect(find({ service: { payments } })).toContain('lost: payment ours has 0 events hold.expired, not 1');
  });

  it('is told of what the database forgot', () => {
    expect(find({ shop: { losses: { times: 2, lastSeen: true } } })).toContain(
      'lost: the database has 0 events database.rolled_back, not 1 to 2',
    );
  });

  it('has one key outside the database for each reason', () => {
    const paid = {
      handlerId: 'order-paid',
      event: 'order.paid',
      orderReference: 'order-1',
      paymentId: null,
      subjectId: null,
    };
    const outside = ['one', 'another'].map((effectKey) => ({ ...paid, effectKey }));
    expect(find({ shop: { outside: [...shop.outside, ...outside] } })).toEqual([
      'doubled: outside: order.paid of order order-1 has 2 effect keys, not 1',
    ]);
  });
});
