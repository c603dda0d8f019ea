import { Dice } from './dice.js';

const numbers = (dice: Dice) => Array.from({ length: 20 }, () => dice.whole(0, 1_000_000));

describe('dice', () => {
  it('decide the same for the same seed and subject, and something else for another', () => {
    const decided = numbers(new Dice(7, 'purchase 1'));
    expect(numbers(new Dice(7, 'purchase 1'))).toEqual(decided);
    expect(numbers(new Dice(8, 'purchase 1'))).not.toEqual(decided);
    expect(numbers(new Dice(7, 'purchase 2'))).not.toEqual(decided);
  });

  it('throw every number between two, both included, and no other', () => {
    const dice = new Dice(1, 'range');
    const thrown = new Set(Array.from({ length: 200 }, () => dice.whole(2, 5)));
    expect(thrown).toEqual(new Set([2, 3, 4, 5]));
  });

  it('shuffle without losing or doubling anything', () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = new Dice(1, 'deck').shuffled(items);
    expect(shuffled).not.toEqual(items);
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
  });
});
