import { knownConfirmation, parseConfirmation } from './confirmation.js';

const said = (type: string, confirmation_url: string) => parseConfirmation({ type, confirmation_url });

describe('where a buyer is sent', () => {
  it.each([
    ['redirect', 'https://service.example/pay?id=1'],
    ['redirect', 'http://127.0.0.1:4010/pay/1'],
    ['mobile_application', 'bank://pay/1'],
    ['mobile_application', 'https://bank.example/pay/1'],
  ] as const)('is passed on: %s %s', (type, url) => {
    expect(said(type, url)).toEqual({ type, url });
    expect(knownConfirmation({ type, url })).toEqual({ type, url });
  });

  it.each([
    ['redirect', 'javascript:alert(document.cookie)'],
    ['redirect', ' https://service.example/'],
    ['redirect', 'bank://pay/1'],
    ['redirect', 'data:text/html,hello'],
    ['redirect', '//service.example/pay'],
    ['redirect', 'pay/1'],
    ['redirect', ''],
    ['mobile_application', 'javascript://%0aalert(1)'],
    ['mobile_application', 'file:///etc/passwd'],
    ['mobile_application', 'bank:pay'],
  ] as const)(
    'is passed on only where a browser or an app opens it as an address: not %s %s',
    (type, url) => {
      expect(said(type, url)).toBeNull();
      expect(said('unheard_of', url)).toBeNull();
      expect(knownConfirmation({ type, url })).toBeNull();
    },
  );
});
