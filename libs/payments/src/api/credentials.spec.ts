import { inspect } from 'node:util';
import { PaymentInputError } from '../common/payments.errors.js';
import { authorizationHeader, shopCredentials, tokenCredentials } from './credentials.js';
import { Secret } from './secret.js';

const CLEAR = 'live_Zk3vErYsEcReT';

describe('credentials', () => {
  it('of a shop are sent with HTTP Basic', () => {
    const header = authorizationHeader(shopCredentials('100500', CLEAR));
    expect(Buffer.from(header.replace(/^Basic /, ''), 'base64').toString()).toBe(`100500:${CLEAR}`);
  });

  it('of a shop are sent whatever the characters of its key', () => {
    const header = authorizationHeader({ shopId: 'test_shop', secretKey: new Secret('a:é:₽') });
    expect(Buffer.from(header.replace(/^Basic /, ''), 'base64').toString()).toBe('test_shop:a:é:₽');
  });

  it('of an app are sent as a Bearer token', () => {
    expect(authorizationHeader(tokenCredentials('AAEAAAADRw'))).toBe('Bearer AAEAAAADRw');
  });

  it.each([shopCredentials('100500', CLEAR), tokenCredentials(CLEAR)])(
    'show no secret: %o',
    (credentials) => {
      const shown = [
        inspect(credentials, { depth: Infinity, showHidden: true }),
        JSON.stringify(credentials),
      ];
      expect(shown.join()).not.toContain(CLEAR);
    },
  );

  it.each<[string, () => unknown]>([
    ['shopId', () => shopCredentials('', CLEAR)],
    ['shopId', () => shopCredentials('a:b', CLEAR)],
    ['shopId', () => shopCredentials('a b', CLEAR)],
    ['shopId', () => Reflect.apply(shopCredentials, null, [undefined, CLEAR])],
    ['secretKey', () => shopCredentials('100500', '')],
    ['secretKey', () => shopCredentials('100500', `${CLEAR}\n`)],
    ['secretKey', () => Reflect.apply(shopCredentials, null, ['100500', undefined])],
    ['accessToken', () => tokenCredentials('')],
    ['accessToken', () => tokenCredentials(`${CLEAR} ${CLEAR}`)],
    ['accessToken', () => tokenCredentials('ключ')],
  ])('cannot be made of a wrong %s, and the message does not repeat it', (field, make) => {
    let caught: unknown;
    try {
      make();
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(PaymentInputError);
    expect(caught).toMatchObject({ field });
    expect(inspect(caught, { depth: Infinity })).not.toContain(CLEAR);
  });
});
