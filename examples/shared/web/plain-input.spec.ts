import { isPlain } from './plain-input.js';

describe('what an address or a form carries', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no field', {}],
    ['what people type', { name: 'Анна Ó’Hara 🍵', note: 'two\r\nlines\tand a tab', empty: '' }],
  ])('is plain with %s', (_what, fields) => {
    expect(isPlain(fields)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a NUL', { name: 'a\0' }],
    ['a NUL in a field’s name', { 'a\0': 'b' }],
    ['an escape character', { name: '\u001b[2J' }],
    ['half of a character', { name: '\ud83c' }],
    ['more than anybody types', { name: 'x'.repeat(2_001) }],
    ['a field given twice', { name: ['a', 'b'] }],
    ['a field within a field', { name: { first: 'a' } }],
    ['a number in place of text', { quantity: 3 }],
    ['a field that takes the place of an object’s own', JSON.parse('{"__proto__":{"name":"a"}}')],
    ['a list', ['a']],
    ['text alone', 'a'],
  ])('is not plain with %s', (_what, fields) => {
    expect(isPlain(fields)).toBe(false);
  });
});
