import type { Store } from '@holdfast/payments/partner';

import { owners } from '../owners/owners.js';
import { storePage } from './store-page.js';

const [owner] = owners;
const store: Store = {
  id: '0b1c7f7e-59a1-4f3a-8f0c-2a6d0a1f9e10',
  accountId: '100500',
  ownerRef: 'vera',
  name: 'Vera’s bakery',
  status: 'disconnected',
  test: true,
  enabled: true,
  paymentMethods: ['bank_card'],
  fiscalizationEnabled: false,
  fiscalizationProvider: null,
  connectedAt: new Date('2030-01-31T00:00:00Z'),
  tokenExpiresAt: null,
};

describe('the page of a store that was disconnected', () => {
  const shown = (changes: Partial<Store>): string => {
    if (!owner) throw new Error('There is no owner.');
    return storePage(owner, { store: { ...store, ...changes }, sales: [], history: [] }, 'disconnected');
  };
  const GIVEN_BACK = 'We have given up our access';

  it('says that access was given up once its token is destroyed', () => {
    expect(shown({})).toContain(GIVEN_BACK);
  });

  it('says that it is still being given up while there is a token', () => {
    const page = shown({ tokenExpiresAt: new Date('2035-01-30T00:00:00Z') });
    expect(page).not.toContain(GIVEN_BACK);
    expect(page).toContain('not confirmed yet');
  });
});
