import { documentedProfile, yookassaProfile } from '@holdfast/payments/client';

import { confirmationFor, waysOffered, waysToPay } from './ways-to-pay.js';

const stock = { sale: 'stock' } as const;

describe('the ways to pay', () => {
  it('are all offered by a shop at the public service, and by a demo store those that it can test', () => {
    const profile = yookassaProfile;
    expect(waysOffered({ profile, shopId: '4711' }, stock)).toEqual(waysToPay);
    const demo = { profile, shopId: `${profile.demoStorePrefix}4711` };
    expect(waysOffered(demo, stock)).toEqual(['bank_card', 'wallet']);
  });

  it('have no SBP where the amount is held', () => {
    const offered = waysOffered({ profile: yookassaProfile, shopId: '4711' }, { sale: 'pre_order' });
    expect(offered).toEqual(['bank_card', 'wallet', 'bank_app_pay']);
  });

  it('are left to the service’s page at the documented service', () => {
    expect(waysOffered({ profile: documentedProfile, shopId: '4711' }, stock)).toEqual([]);
    expect(waysOffered({}, stock)).toEqual([]);
  });

  it('are each confirmed as their method can be', () => {
    const returnUrl = 'https://shop.example/orders/1/return';
    for (const way of waysToPay) {
      const { type } = confirmationFor(way, { returnUrl, hasWidget: true });
      expect([way, yookassaProfile.methods[way].confirmations]).toEqual([
        way,
        expect.arrayContaining([type]),
      ]);
    }
  });

  it('lead to the service’s page with a card where there is no widget, and with none chosen', () => {
    const redirect = { type: 'redirect', returnUrl: 'https://shop.example/orders/1/return' } as const;
    const { returnUrl } = redirect;
    expect(confirmationFor('bank_card', { returnUrl, hasWidget: true })).toEqual({ type: 'embedded' });
    expect(confirmationFor('bank_card', { returnUrl, hasWidget: false })).toEqual(redirect);
    expect(confirmationFor(null, { returnUrl, hasWidget: true })).toEqual(redirect);
  });
});
