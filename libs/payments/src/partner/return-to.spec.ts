import { returnPath } from './return-to.js';

describe('where an owner returns to', () => {
  it('is the path that was asked for, with the result', () => {
    expect(returnPath('/stores?tab=2&error=old', { store: 's-1' })).toBe('/stores?tab=2&store=s-1');
  });

  it.each([
    'https://evil.example/stores',
    '//evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    'stores',
    '',
  ])('is the front page where a row was given something else: %s', (written) => {
    expect(returnPath(written, { error: 'refused' })).toBe('/?error=refused');
  });
});
