import {
  canMove,
  isFinal,
  isOpen,
  isServiceStatus,
  paymentStatuses,
  serviceStatuses,
  tableFaults,
  transitions,
  type PaymentStatus,
} from './payment-status.js';

const allowed: readonly (readonly [PaymentStatus, PaymentStatus])[] = [
  ['submitting', 'pending'],
  ['submitting', 'waiting_for_capture'],
  ['submitting', 'succeeded'],
  ['submitting', 'canceled'],
  ['submitting', 'rejected'],
  ['pending', 'waiting_for_capture'],
  ['pending', 'succeeded'],
  ['pending', 'canceled'],
  ['waiting_for_capture', 'succeeded'],
  ['waiting_for_capture', 'canceled'],
];

const everyMove = paymentStatuses.flatMap((from) => paymentStatuses.map((to) => [from, to] as const));

describe('the status table', () => {
  it('allows exactly the documented moves', () => {
    expect(new Set(everyMove.filter(([from, to]) => canMove(from, to)))).toEqual(new Set(allowed));
  });

  it.each(['succeeded', 'canceled', 'rejected'] as const)('never moves from %s', (status) => {
    expect(isFinal(status)).toBe(true);
    expect(paymentStatuses.filter((to) => canMove(status, to))).toEqual([]);
  });

  it.each(paymentStatuses)('has no move from %s to itself', (status) => {
    expect(canMove(status, status)).toBe(false);
  });

  it.each<[PaymentStatus, { open: boolean; final: boolean }]>([
    ['submitting', { open: true, final: false }],
    ['pending', { open: true, final: false }],
    ['waiting_for_capture', { open: false, final: false }],
    ['succeeded', { open: false, final: true }],
    ['canceled', { open: false, final: true }],
    ['rejected', { open: false, final: true }],
  ])('%s is %o', (status, expected) => {
    expect({ open: isOpen(status), final: isFinal(status) }).toEqual(expected);
  });

  it('lets every path end: no payment can move for ever', () => {
    const longest = (status: PaymentStatus): number =>
      Math.max(0, ...transitions[status].map((to) => 1 + longest(to)));
    expect(longest('submitting')).toBe(3);
  });
});

describe('a status of the service', () => {
  it.each([...serviceStatuses])('%s is known', (status) => expect(isServiceStatus(status)).toBe(true));

  it.each(['submitting', 'rejected', 'refunded', 'SUCCEEDED', 'succeeded ', '', '__proto__', 'constructor'])(
    '%j is none',
    (status) => expect(isServiceStatus(status)).toBe(false),
  );
});

describe('the check of a status table', () => {
  it('finds nothing wrong with the real one', () => expect(tableFaults(transitions)).toEqual([]));

  it.each<[string, Partial<Record<PaymentStatus, PaymentStatus[]>>, string[]]>([
    [
      'a step back',
      { waiting_for_capture: ['succeeded', 'pending'] },
      ['waiting_for_capture → pending goes backwards'],
    ],
    [
      'a way back to the start',
      { pending: ['succeeded', 'submitting'] },
      ['pending → submitting goes backwards'],
    ],
    ['a loop of one', { pending: ['pending', 'succeeded'] }, ['pending → pending goes backwards']],
    ['a dead end', { pending: [] }, ['pending leads nowhere']],
    ['a start that leads nowhere', { submitting: [] }, ['submitting leads nowhere']],
    ['a hold that leads nowhere', { waiting_for_capture: [] }, ['waiting_for_capture leads nowhere']],
    [
      'a way out of succeeded',
      { succeeded: ['canceled'] },
      ['succeeded → canceled goes backwards', 'succeeded is final and must lead nowhere'],
    ],
    [
      'a way out of canceled',
      { canceled: ['waiting_for_capture'] },
      ['canceled → waiting_for_capture goes backwards', 'canceled is final and must lead nowhere'],
    ],
    [
      'a way out of rejected',
      { rejected: ['pending'] },
      ['rejected → pending goes backwards', 'rejected is final and must lead nowhere'],
    ],
    [
      'two faults at once',
      { submitting: [], waiting_for_capture: ['pending'] },
      ['submitting leads nowhere', 'waiting_for_capture → pending goes backwards'],
    ],
  ])('finds %s', (_name, change, faults) => {
    expect(new Set(tableFaults({ ...transitions, ...change }))).toEqual(new Set(faults));
  });

  it('finds every move that leads to a status no later than its own', () => {
    const backwards = everyMove.filter(
      ([from, to]) => tableFaults({ ...transitions, [from]: [to] }).length > 0,
    );
    const sound = everyMove.filter((move) => !backwards.includes(move));
    expect(new Set(sound)).toEqual(
      new Set([...allowed, ['pending', 'rejected'], ['waiting_for_capture', 'rejected']]),
    );
  });
});
