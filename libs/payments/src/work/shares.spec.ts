import { Shares, type Sharer } from './shares.js';

const among = (key: string): Sharer => ({ key, alone: false });
const alone = (key: string): Sharer => ({ key, alone: true });

/** Takes all it may, and returns nothing. */
function takeAll(shares: Shares, ...path: Sharer[]): number {
  let taken = 0;
  for (; shares.room(...path) > 0; taken += 1) shares.take(...path);
  return taken;
}

describe('slots that are shared', () => {
  it.each([
    [1, 1],
    [2, 1],
    [5, 3],
    [8, 4],
    [16, 8],
  ])('of %i, one that hangs gets %i, and the next one finds one free', (slots, most) => {
    const shares = new Shares(slots);
    expect(shares.room(among('hangs'))).toBe(most);
    expect(takeAll(shares, among('hangs'))).toBe(most);
    expect(shares.room(among('hangs'))).toBe(0);
    expect(shares.room(among('other')) > 0).toBe(slots > 1);
  });

  it('are free for a newcomer however many hang already, as long as one is', () => {
    const shares = new Shares(16);
    const hanging = ['a', 'b', 'c', 'd'].map((key) => takeAll(shares, among(key)));
    expect(hanging).toEqual([8, 4, 2, 1]);
    expect(takeAll(shares, among('e'))).toBe(1);
  });

  it('belong all to one that is alone', () => {
    expect(takeAll(new Shares(5), alone('only'))).toBe(5);
  });

  it("are shared again within a key: a hanging one leaves a part of the key's share to the others", () => {
    const shares = new Shares(8);
    expect(takeAll(shares, among('handler'), among('store'))).toBe(2);
    expect(takeAll(shares, among('handler'), among('another store'))).toBe(1);
    expect(takeAll(shares, among('another handler'), alone('store'))).toBe(3);
  });

  it('are free again when they are returned, once each', () => {
    const shares = new Shares(2);
    const giveBack = shares.take(among('handler'), among('store'));
    shares.take(among('another handler'), among('store'));
    expect(shares.room(among('handler'), among('store'))).toBe(0);
    giveBack();
    giveBack();
    expect(shares.room(alone('handler'))).toBe(1);
    expect(shares.room(among('handler'), among('store'))).toBe(1);
    expect(shares.room(among('another handler'))).toBe(0);
  });
});
