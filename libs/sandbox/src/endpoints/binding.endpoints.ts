import { makerOf, type Endpoint } from '../api/endpoint.js';
import type { Views } from '../books/books.js';
import { parseConfirmation, type ConfirmationType } from '../methods/confirmation.js';
import type { SavedMethods } from '../objects/saved-methods.js';
import { fields, metadata } from '../wire/body.js';
import { methodName, methodTypeFromWire, type MethodType } from '../wire/names.js';
import { invalidRequest } from '../wire/service-error.js';
import { notRecurring } from './method-checks.js';

/** What can be saved without a payment, and how its buyer confirms that. */
const bindable: Readonly<Partial<Record<MethodType, readonly ConfirmationType[]>>> = {
  bank_card: ['redirect'],
  sbp: ['redirect', 'qr'],
};

/** Saving a method without a payment, over REST: of the public service alone. */
export function bindingEndpoints(savedMethods: SavedMethods, view: Views['savedMethod']): Endpoint[] {
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
