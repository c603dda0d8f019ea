import type { Endpoint } from '../api/endpoint.js';
import { wireAmount } from '../common/money.js';
import type { Store } from '../stores/store.js';
import { methodName } from '../wire/names.js';

/** Store information. */
export function storeEndpoints(): Endpoint[] {
  return [
    {
      operation: 'me',
      method: 'get',
      paths: ['/v3/me'],
      bearerOnly: true,
      handle: ({ by: { store } }) => storeView(store),
    },
  ];
}

function storeView({ accountId, demo, methods, name, names, status, receipts }: Store) {
  return {
    account_id: accountId,
    status,
    test: demo,
    fiscalization_enabled: receipts !== null,
    payment_methods: methods.map((type) => methodName(names, type)),
    // Assumed from here on: the interface shows none of it.
    fiscalization: { enabled: receipts !== null, ...(receipts && { provider: receipts.provider }) },
    name,
    itn: '0000000000',
    payout_methods: [names.methodTypes.bank_card, names.methodTypes.wallet],
    payout_balance: wireAmount(0),
  };
}
