import { settingsOf } from './store-settings.js';

describe('of a store’s settings', () => {
  it('what the service does not say is not known', () => {
    expect(settingsOf({ account_id: 'a' })).toEqual({
      name: null,
      enabled: null,
      paymentMethods: null,
      fiscalizationEnabled: null,
      fiscalizationProvider: null,
    });
  });

  it.each<[string, object, boolean | null]>([
    ['the documented field', { fiscalization_enabled: true }, true],
    [
      'the documented field before the other',
      { fiscalization_enabled: false, fiscalization: { enabled: true } },
      false,
    ],
    ['the public service’s object', { fiscalization: { enabled: true, provider: 'cash_register' } }, true],
    ['no odd object', { fiscalization: 'on' }, null],
    ['no null', { fiscalization_enabled: null, fiscalization: null }, null],
    ['no odd values', { fiscalization_enabled: 'yes', fiscalization: { enabled: 1 } }, null],
  ])('whether it registers receipts is read from %s', (_name, said, enabled) => {
    expect(settingsOf({ account_id: 'a', ...said })).toMatchObject({ fiscalizationEnabled: enabled });
  });

  it.each([
    [{ enabled: true, provider: 'atol' }, 'atol'],
    [{ enabled: true }, null],
    [{ provider: 7 }, null],
    [null, null],
  ])('who registers its receipts is read from %j', (said: object | null, fiscalizationProvider) => {
    const answer = { account_id: 'a', ...(said && { fiscalization: said }) };
    expect(settingsOf(answer)).toMatchObject({ fiscalizationProvider });
  });
});
