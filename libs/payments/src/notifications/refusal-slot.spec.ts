import { REFUSAL_SLOTS, refusalSlot } from './refusal-slot.js';

describe('the slot of a refused notification', () => {
  const slots = Array.from({ length: 2_000 }, (_, index) => refusalSlot(`payment-${index}`));

  it('is one of 64, all of them in use', () => {
    expect(new Set(slots)).toEqual(new Set(Array.from({ length: REFUSAL_SLOTS }, (_, slot) => slot)));
  });

  it('is always the same for the same payment', () => {
    expect(refusalSlot('payment-7')).toBe(slots[7]);
  });
});
