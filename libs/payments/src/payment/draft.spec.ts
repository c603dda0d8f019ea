import {
  NOW,
  operationRow,
  paidRow,
  paymentRow,
  problemRow,
  receiptRow,
  refundRow,
  stateOf,
} from '../../../../test/support/state.js';
import { changeTo, draftOf, isNothing, withRow, type Draft } from './draft.js';
import type { State } from './state.js';

describe('the change from what was read to what was decided', () => {
  it('is nothing where nothing was decided', () => {
    const state = stateOf(paymentRow());
    expect(isNothing(changeTo(draftOf(state), state, 'sweep'))).toBe(true);
  });

  it.each<[string, Partial<Draft>]>([
    [
      'an event',
      {
        events: [
          {
            storeId: '',
            subject: { type: 'payment', id: '' },
            paymentId: '',
            name: 'payment.anomaly',
            cause: 'sweep',
            evidence: {},
          },
        ],
      },
    ],
    ['a row', { refunds: [refundRow()] }],
    ['a look', { wanted: { at: NOW, isUrgent: false } }],
    ['a place', { place: { at: null, checks: 0, lane: 'polls', refundSignals: 0, restMs: 0, before: null } }],
  ])('is something with %s', (_what, fields) => {
    const state = stateOf(paymentRow());
    expect(isNothing(changeTo({ ...draftOf(state), ...fields }, state, 'sweep'))).toBe(false);
  });

  it('tells rows that are new from rows that are other ones, and leaves the rest', () => {
    const [known, moved, opened] = [refundRow({ id: 'a' }), refundRow({ id: 'b' }), refundRow({ id: 'c' })];
    const state = stateOf(paidRow(), { refunds: [known, moved] });
    const after = { ...moved, status: 'succeeded' } as const;
    const draft = { ...draftOf(state), refunds: withRow(withRow(state.refunds, after), opened) };
    expect(changeTo(draft, state, 'sweep').rows).toEqual({ refunds: { opened: [opened], changed: [after] } });
  });

  it('moves the sums and the state of the order with its payment', () => {
    const state = stateOf(paymentRow());
    const draft = { ...draftOf(state), payment: paidRow() };
    const { totals, events } = changeTo(draft, state, 'sweep');
    expect(totals).toMatchObject({ paidMinor: 10_000, state: 'paid' });
    expect(events.map(({ name }) => name)).toEqual(['order.paid']);
  });

  it.each<[string, State, number, string[]]>([
    ['less that is paid by now', stateOf(paidRow({ amountMinor: 8_000, capturedMinor: 8_000 })), 8_000, []],
    ['less than is paid', stateOf(paidRow()), 8_000, ['order.overpaid']],
    ['more than is paid', stateOf(paidRow()), 12_000, ['order.unpaid']],
    ['as much as before', stateOf(paymentRow()), 10_000, []],
  ])('has it owe %s, and tells that', (_what, state, totalDueMinor, names) => {
    const draft = { ...draftOf(state), order: { ...state.order, totalDueMinor } };
    const { totals, events } = changeTo(draft, state, 'total');
    expect(totals?.totalDueMinor ?? state.order.totalDueMinor).toBe(totalDueMinor);
    expect(events.map(({ name }) => name)).toEqual(names);
  });

  it('counts its payment by what is due from now on', () => {
    const state = stateOf(paymentRow());
    const order = { ...state.order, totalDueMinor: 12_000 };
    const { totals, events } = changeTo({ ...draftOf(state), order, payment: paidRow() }, state, 'sweep');
    expect(totals).toMatchObject({ totalDueMinor: 12_000, paidMinor: 10_000, state: 'unpaid' });
    expect(events).toEqual([]);
  });
});

describe('an order whose payment is found paid and given back by the same look', () => {
  it('was paid before that, and is told so before what was given back', () => {
    const state = stateOf(paymentRow());
    const event = { storeId: '', paymentId: '', cause: 'sweep', evidence: {} } as const;
    const draft = {
      ...draftOf(state),
      payment: paidRow({ refundedMinor: 4_000 }),
      events: [
        { ...event, subject: { type: 'payment', id: '' }, name: 'payment.succeeded' },
        { ...event, subject: { type: 'refund', id: '' }, name: 'refund.succeeded' },
      ],
    } as const;
    const { totals, events } = changeTo(draft, state, 'sweep');
    expect(totals).toMatchObject({
      paidMinor: 10_000,
      refundedMinor: 4_000,
      state: 'partially_refunded',
      wasPaid: true,
    });
    expect(events.map(({ name }) => name)).toEqual(['payment.succeeded', 'order.paid', 'refund.succeeded']);
  });
});

describe('what is to be sent', () => {
  it('is looked at by itself, unless the payment gets another place anyhow', () => {
    const state = stateOf(paidRow());
    const draft = { ...draftOf(state), wanted: { at: NOW, isUrgent: true } };
    expect(changeTo(draft, state, 'sweep').wanted).toEqual(draft.wanted);
    const place = {
      at: NOW,
      checks: 0,
      lane: 'notified',
      refundSignals: 0,
      restMs: 0,
      before: null,
    } as const;
    const change = changeTo({ ...draft, place }, state, 'sweep');
    expect([change.place, change.wanted]).toEqual([place, undefined]);
  });
});

describe('a change', () => {
  it.each([
    ['refunds', refundRow()],
    ['receipts', receiptRow()],
    ['problems', problemRow()],
    ['operations', operationRow()],
  ] as const)('has the rows of %s that are new, and no others', (table, row) => {
    const state = stateOf(paymentRow());
    const { rows } = changeTo({ ...draftOf(state), [table]: [row] }, state, 'sweep');
    expect(rows).toEqual({ [table]: { opened: [row], changed: [] } });
  });

  it('dates the payment only if its draft does', () => {
    const state = stateOf(paymentRow());
    const payment = paymentRow({ holdTries: 1, updatedAt: state.payment.updatedAt });
    expect(changeTo({ ...draftOf(state), payment }, state, 'sweep')).toMatchObject({
      isDated: false,
      after: payment,
    });
    const dated = paymentRow({ holdTries: 1, updatedAt: NOW });
    expect(changeTo({ ...draftOf(state), payment: dated }, state, 'sweep').isDated).toBe(true);
  });

  it('is something with a payment or with totals alone', () => {
    const state = stateOf(paymentRow());
    const change = changeTo(draftOf(state), state, 'sweep');
    const { totals } = changeTo({ ...draftOf(state), payment: paidRow() }, state, 'sweep');
    expect(isNothing(change)).toBe(true);
    expect(isNothing({ ...change, after: state.payment })).toBe(false);
    expect(isNothing({ ...change, totals })).toBe(false);
  });
});

describe('a payment given up', () => {
  const toldOf = (before: Parameters<typeof paymentRow>[0], after: Parameters<typeof paymentRow>[0]) => {
    const state = stateOf(paymentRow(before));
    const draft = { ...draftOf(state), payment: paymentRow({ ...before, ...after }) };
    return changeTo(draft, state, 'refresh').events;
  };
  const paid = { status: 'succeeded', authorizedMinor: 10_000, capturedMinor: 10_000 } as const;
  const held = { status: 'waiting_for_capture', authorizedMinor: 10_000 } as const;

  it('that is paid all the same is told to a person', () => {
    expect(toldOf({ supersededAt: NOW }, paid)).toMatchObject([
      { name: 'order.paid', cause: 'refresh', paymentId: paymentRow().id },
      { name: 'order.overpaid', evidence: { reason: 'a superseded payment was paid' } },
    ]);
  });

  it.each([
    ['is not where it is held', { supersededAt: NOW }, held],
    ['is not where it was paid before', { supersededAt: NOW, ...paid }, { refundedMinor: 4_000 }],
    ['is not where it was not given up', {}, paid],
  ])('%s', (_how, before, after) => {
    expect(toldOf(before, after).map(({ name }) => name)).not.toContain('order.overpaid');
  });
});
