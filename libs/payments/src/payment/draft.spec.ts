import { NOW, paidRow, paymentRow, refundRow, stateOf } from '../../../../test/support/state.js';
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
