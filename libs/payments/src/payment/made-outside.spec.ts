import { wordsOf } from './made-outside.js';

describe('of a refund made outside', () => {
  it('description and metadata are its maker’s', () => {
    const words = { description: 'Torn 🍵', metadata: { desk: 'A 🍵' } };
    expect(wordsOf(words)).toEqual(words);
    expect(wordsOf({ description: null, metadata: {} })).toEqual({ description: null, metadata: {} });
  });

  it('what the database cannot store is left out, and what is no text', () => {
    const half = '🍵'.slice(0, 1);
    const metadata = { [`de${half}sk`]: `A${half}\u0000`, count: 7, nothing: null, deep: { desk: 'B' } };
    expect(wordsOf({ description: `To\u0000rn${half}`, metadata })).toEqual({
      description: 'Torn',
      metadata: { desk: 'A' },
    });
  });
});
