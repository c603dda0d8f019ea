import { titlePattern } from './title.js';

const matches = (text: string, title: string) => new RegExp(titlePattern(text)).test(title);

describe('the title of a test that a guard names', () => {
  it('is matched as it is written', () => {
    expect(matches('is kept (once): $1', 'a payment is kept (once): $1 of it')).toBe(true);
    expect(matches('is kept.', 'is kept for ever')).toBe(false);
  });

  it('is matched with whatever a table puts in it', () => {
    expect(matches('of a %s is %i kopecks', 'of a capture is 10 kopecks')).toBe(true);
    expect(matches('of a %s is %i kopecks', 'of a capture is nothing')).toBe(false);
  });
});
