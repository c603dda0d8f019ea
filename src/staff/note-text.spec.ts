import type { HoldEvent } from '@holdfast/payments';

import { noteOfHold, noteOfPayment } from './note-text.js';

const amount = { value: '2480.00', currency: 'RUB' };
const expiresAt = new Date('2030-03-08T10:00:00.000Z');
const hold: HoldEvent['hold'] = { expiresAt, timeLeftMs: 86_400_000, policy: 'flag' };
const readable = (text: string | null) => text?.replaceAll('\u00a0', ' ');

describe('a note for the staff', () => {
  it.each<[HoldEvent['hold'], string]>([
    [hold, 'ends on 8 Mar 2030, 10:00:00 UTC. Ship the order before that, or cancel it.'],
    [{ ...hold, policy: 'cancel' }, 'ends on 8 Mar 2030, 10:00:00 UTC. It is being released.'],
    [{ ...hold, policy: 'capture' }, 'ends on 8 Mar 2030, 10:00:00 UTC. It is being charged.'],
    [
      { ...hold, expiresAt: null, timeLeftMs: null },
      'may end at any moment. Ship the order before that, or cancel it.',
    ],
  ])('of %j says so', (given, text) => {
    const payment = { amount, status: 'waiting_for_capture' } as const;
    const note = noteOfHold({ name: 'hold.expiring', payment, hold: given });
    expect(readable(note)).toBe(`The hold of 2 480,00 ₽ ${text}`);
  });

  it('is not shown for a hold that somebody has handled meanwhile', () => {
    const payment = { amount, status: 'succeeded' } as const;
    expect(noteOfHold({ name: 'hold.expiring', payment, hold })).toBeNull();
    expect(noteOfHold({ name: 'hold.expiring', payment, hold: { ...hold, policy: 'capture' } })).toMatch(
      /charged/,
    );
  });

  it('about a hold that ran out says that nothing was charged', () => {
    const ranOut = { expiresAt, timeLeftMs: 0, policy: null };
    const payment = { amount, status: 'canceled' } as const;
    expect(readable(noteOfHold({ name: 'hold.expired', payment, hold: ranOut }))).toBe(
      'The hold of 2 480,00 ₽ ran out before the order was shipped. Nothing was charged.',
    );
  });

  it('about anything else gives the reason', () => {
    expect(noteOfPayment({ name: 'order.overpaid', evidence: { reason: 'more is kept than is due' } })).toBe(
      'More was paid than is due: more is kept than is due. Refund the excess.',
    );
    expect(noteOfPayment({ name: 'payment.anomaly', evidence: { reason: 'unknown status paid' } })).toContain(
      'does not fit: unknown status paid.',
    );
  });
});
