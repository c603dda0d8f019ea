import { issueToken, readToken } from './session-token.js';

describe('a session token', () => {
  const secret = 'a secret of the platform';
  const token = issueToken('vera', 1_000, secret);

  it('names its owner until it ends', () => {
    expect(readToken(token, 999, secret)).toBe('vera');
    expect(readToken(token, 1_000, secret)).toBeNull();
  });

  it.each([
    ['another owner', token.replace('vera', 'oleg')],
    ['another end', token.replace('1000', '9000')],
    ['no signature', 'vera.1000.'],
    ['a signature of another length', `${token}A`],
    ['nothing', ''],
  ])('with %s is none', (_change, changed) => {
    expect(readToken(changed, 0, secret)).toBeNull();
  });

  it('made with another secret is none', () => {
    expect(readToken(issueToken('vera', 1_000, 'another secret'), 0, secret)).toBeNull();
  });
});
