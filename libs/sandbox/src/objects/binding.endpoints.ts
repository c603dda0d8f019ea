import { fields, metadata } from '../api/body.js';
import { makerOf, type Endpoint } from '../api/endpoint.js';
import { invalidRequest } from '../api/service-error.js';
import { parseConfirmation, type ConfirmationType } from '../payments/confirmation.js';
import { notRecurring } from '../payments/method-checks.js';
import { methodName, methodTypeFromWire, type MethodType } from '../wire-names.js';
import type { SavedMethod, WireSavedMethod } from './saved-method.js';
import type { SavedMethods } from './saved-methods.js';

/** What can be saved without a payment, and how its buyer confirms that. */
const bindable: Readonly<Partial<Record<MethodType, readonly ConfirmationType[]>>> = {
  bank_card: ['redirect'],
  sbp: ['redirect', 'qr'],
};

/** Saving a method without a payment, over REST: of the public service alone. */
export function bindingEndpoints(
  savedMethods: SavedMethods,
  view: (saved: SavedMethod) => WireSavedMethod,
): Endpoint[] {
  return [
    {
      operation: 'bind',
      method: 'post',
      paths: ['/v3/payment_methods'],
      handle: ({ body, by }) => {
        const { store } = by;
        const given = fields(body);
        const type = store.methods.find(
          (known) => bindable[known] && known === methodTypeFromWire(store.names, given['type']),
        );
        if (!type) {
          const usable = store.methods.filter((known) => bindable[known]);
          throw invalidRequest(
            `This store can save: ${usable.map((known) => methodName(store.names, known)).join(', ')}`,
            'type',
          );
        }
        if (!store.recurring) throw notRecurring();
        const request = {
          ...parseConfirmation(given['confirmation'], bindable[type] ?? []),
          metadata: metadata(given['metadata']),
        };
        return view(savedMethods.request(type, request, { store, createdBy: makerOf(by) }));
      },
    },
  ];
}
