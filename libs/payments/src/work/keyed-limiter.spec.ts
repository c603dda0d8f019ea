import { KeyedLimiter, type Sharer } from './keyed-limiter.js';

const among = (key: string): Sharer => ({ key, alone: false });
const alone = (key: string): Sharer => ({ key, alone: true });

/** Takes all it may, and returns nothing. */
function takeAll(limiter: KeyedLimiter, ...path: Sharer[]): number {
  let taken = 0;
  for (; limiter.room(...path) > 0; taken += 1) limiter.count(1, ...path.map(({ key }) => key));
  return taken;
}

describe('slots that are held to the end', () => {
  it.each([
    [1, 1],
    [2, 1],
    [5, 3],
    [8, 4],
    [16, 8],
  ])('of %i, one that hangs gets %i, and the next one finds one free', (slots, most) => {
    const limiter = new KeyedLimiter(slots);
    expect(limiter.room(among('hangs'))).toBe(most);
    expect(takeAll(limiter, among('hangs'))).toBe(most);
    expect(limiter.room(among('hangs'))).toBe(0);
    expect(limiter.room(among('other')) > 0).toBe(slots > 1);
  });

  it('are free for a newcomer however many hang already, as long as one is', () => {
    const limiter = new KeyedLimiter(16);
    const hanging = ['a', 'b', 'c', 'd'].map((key) => takeAll(limiter, among(key)));
    expect(hanging).toEqual([8, 4, 2, 1]);
    expect(takeAll(limiter, among('e'))).toBe(1);
  });

  it('belong all to one that is alone', () => {
    expect(takeAll(new KeyedLimiter(5), alone('only'))).toBe(5);
  });

  it("are shared again within a key: a hanging one leaves a part of the key's share to the others", () => {
    const limiter = new KeyedLimiter(8);
    expect(takeAll(limiter, among('handler'), among('store'))).toBe(2);
    expect(takeAll(limiter, among('handler'), among('another store'))).toBe(1);
    expect(takeAll(limiter, among('another handler'), alone('store'))).toBe(3);
  });

  it('are free again when they are returned', () => {
    const limiter = new KeyedLimiter(2);
    limiter.count(1, 'handler', 'store');
    limiter.count(1, 'another handler', 'store');
    expect(limiter.room(among('handler'), among('store'))).toBe(0);
    limiter.count(-1, 'handler', 'store');
    expect(limiter.room(alone('handler'))).toBe(1);
    expect(limiter.room(among('handler'), among('store'))).toBe(1);
    expect(limiter.room(among('another handler'))).toBe(0);
  });
});

describe('slots that are left by what takes long', () => {
  it.each([
    [1, 1],
    [2, 1],
    [5, 2],
    [32, 16],
  ])('of %i, each key gets %i, whatever the others have', (slots, half) => {
    const limiter = new KeyedLimiter(slots);
    limiter.count(1, 'other');
    for (let taken = 0; taken < half; taken += 1) {
      expect(limiter.leftOfHalf('store')).toBe(half - taken);
      limiter.count(1, 'store');
    }
    expect(limiter.leftOfHalf('store')).toBe(0);
    expect(limiter.keys).toEqual(['other', 'store']);
    limiter.count(-1, 'other');
    limiter.count(-1, 'store');
    expect([limiter.leftOfHalf('store'), limiter.keys]).toEqual([1, half === 1 ? [] : ['store']]);
  });
});
