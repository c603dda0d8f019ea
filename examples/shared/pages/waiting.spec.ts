import { parseLooks, secondsUntilNextLook } from './waiting.js';

describe('a page that waits', () => {
  it('looks again less and less often, at last once a minute', () => {
    const waits = [0, 1, 2, 3, 8, 20, 99].map((looks) => secondsUntilNextLook({ seconds: 3, looks }));
    expect(waits).toEqual([3, 5, 7, 10, 60, 60, 60]);
  });

  it.each([
    [undefined, 0],
    ['7', 7],
    ['-1', 0],
    ['1000', 0],
    ['one', 0],
  ])('has been looked at, by an address that says %p, %i times', (said, looks) => {
    expect(parseLooks(said)).toBe(looks);
  });
});
