import {
  earlier,
  intentOf,
  operationRow,
  ordered,
  paidRow,
  paymentRow,
  TERMS,
} from '../../../../test/support/state.js';
import { answerCreate } from './answer-create.js';
import { KEY_REUSED } from './refused-operation.js';

const terms = { ...TERMS, leaseMs: 60_000, callDeadlineMs: 20_000, traceparent: null };
const answer = (
  state: ReturnType<typeof ordered>,
  intent: ReturnType<typeof intentOf>,
  { isSearched = false } = {},
) => answerCreate(state, intent, isSearched, terms);

const same = paymentRow({ method: null });

describe('another create of an order', () => {
  it('that finds its payment changes nothing', () => {
    expect(answer(ordered([same]), intentOf())).toEqual({
      answer: { kind: 'same', paymentId: same.id },
      change: null,
    });
  });

  it.each([
    ['open', same, 'same'],
    ['paid', paidRow({ method: null }), 'paid'],
  ] as const)('that finds one that is %s has the order owe what it says', (_status, payment, kind) => {
    const found = answer(
      ordered([payment], { order: { totalDueMinor: 20_000, wasPaid: false } }),
      intentOf({ totalDueMinor: 30_000 }),
    );
    expect(found.answer.kind).toBe(kind);
    expect(found.change).toMatchObject({ payment: { id: payment.id }, totals: { totalDueMinor: 30_000 } });
    expect(found.change).not.toHaveProperty('opened');
  });

  it('that is refused changes nothing, whatever it says is due', () => {
    const open = paymentRow({ method: 'sbp' });
    const { answer: refused, change } = answer(ordered([open]), intentOf({ totalDueMinor: 30_000 }));
    expect([refused.kind, change]).toEqual(['open-elsewhere', null]);
  });

  it('that replaces one opens another', () => {
    const open = paymentRow({ method: 'sbp' });
    const { answer: opened, change } = answer(ordered([open]), intentOf({ replace: true }));
    expect(opened).toMatchObject({ kind: 'open', supersede: [{ id: open.id }] });
    expect(change?.opened?.payment).toMatchObject({ tryNumber: 2 });
  });
});

describe('a try that was refused because its key was used', () => {
  const refused = paymentRow({ id: 'refused', status: 'rejected', serviceId: null });
  const create = operationRow({
    paymentId: 'refused',
    outcome: 'refused',
    lastError: { code: KEY_REUSED },
    recordedAt: earlier(5_000),
  });
  const forgotten = {
    kind: 'forgotten',
    marked: { orderReference: 'order-1', part: '', tryNumber: 1 },
    since: earlier(5_000),
  };

  it('is looked for before another one is opened', () => {
    expect(answer(ordered([], { tries: [refused], creates: [create] }), intentOf())).toEqual({
      answer: forgotten,
      change: null,
    });
  });

  it.each<[string, Parameters<typeof ordered>[1], { isSearched?: boolean }]>([
    ['was looked for', {}, { isSearched: true }],
    ['was found', { tries: [refused, paymentRow({ id: 'found', status: 'canceled' })] }, {}],
    ['was refused for another reason', { creates: [{ ...create, lastError: { code: 'other' } }] }, {}],
  ])('is not where it %s', (_why, fields, how) => {
    const state = ordered([], { tries: [refused], creates: [create], ...fields });
    expect(answer(state, intentOf(), how).answer.kind).toBe('open');
  });
});
