import type { Books, Views } from '../books/books.js';
import { endIn, knownFields, oneOf, reasonName, roublesMinor } from '../common/input.js';
import { dealView, type WireDeal } from '../objects/deals.js';
import { payoutView, type WirePayout } from '../objects/payout.js';
import type { WireSavedMethod } from '../objects/saved-method.js';
import { partyBehind, type Cancellation } from '../wire/cancellation.js';
import type { MethodType } from '../wire/names.js';

/** Objects that the service interface names only in events: made and changed by hand. */
export interface ObjectControl {
  readonly payouts: {
    /** `amount` as `"1234.50"` roubles; without an outcome it stays pending. Throws ControlError 400. */
    create(payout: {
      readonly amount: string;
      readonly outcome?: 'succeeded' | 'canceled';
      readonly reason?: string;
    }): WirePayout;
    /** Default reason of a cancellation: `general_decline`. Throws ControlError (400, 404, 409). */
    finish(id: string, outcome: 'succeeded' | 'canceled', reason?: string): WirePayout;
    /** Newest first. */
    list(): WirePayout[];
  };
  readonly deals: {
    create(): WireDeal;
    /** Throws ControlError (404, 409). */
    close(id: string): WireDeal;
    /** Newest first. */
    list(): WireDeal[];
  };
  readonly paymentMethods: {
    /** A buyer binds a method without paying; default `bank_card`. Throws ControlError 400. */
    bind(method?: { readonly type?: MethodType }): WireSavedMethod;
    /** What the buyer does with a method that a shop asked for; `abandon`: nothing. Throws ControlError (400, 404, 409). */
    confirm(id: string, action: { readonly outcome: 'succeed' | 'decline' | 'abandon' }): WireSavedMethod;
    /** The buyer withdraws the permission: payments by it are canceled from now on. Throws ControlError 404. */
    revoke(id: string): WireSavedMethod;
    /** Newest first. */
    list(): WireSavedMethod[];
  };
}

export function objectControl(
  { payouts, deals, savedMethods }: Pick<Books, 'payouts' | 'deals' | 'savedMethods'>,
  view: Views['savedMethod'],
): ObjectControl {
  return {
    payouts: {
      create: (input) => {
        const { amount, outcome, reason } = knownFields(input, ['amount', 'outcome', 'reason']);
        const end = outcome === undefined ? undefined : ending(outcome, reason);
        const payout = payouts.create(roublesMinor(amount, 'amount'));
        return payoutView(end === undefined ? payout : payouts.finish(payout.id, end));
      },
      finish: (id, outcome, reason) => payoutView(payouts.finish(id, ending(outcome, reason))),
      list: () => payouts.newestFirst().map(payoutView),
    },
    deals: {
      create: () => dealView(deals.create()),
      close: (id) => dealView(deals.close(id)),
      list: () => deals.newestFirst().map(dealView),
    },
    paymentMethods: {
      bind: (input = {}) => view(savedMethods.bind(knownFields(input, ['type'])['type'] ?? 'bank_card')),
      confirm: (id, action) => {
        const { outcome } = knownFields(action, ['outcome']);
        const done = oneOf(outcome, 'outcome', ['succeed', 'decline', 'abandon'] as const);
        const saved = savedMethods.get(id);
        if (done === 'abandon') return view(saved);
        return view(done === 'succeed' ? savedMethods.confirm(id) : savedMethods.refuse(id));
      },
      revoke: (id) => view(savedMethods.revoke(id)),
      list: () => savedMethods.newestFirst().map(view),
    },
  };
}

/** null: it succeeds. */
function ending(outcome: unknown, reason: unknown = 'general_decline'): Cancellation | null {
  if (endIn(outcome) === 'succeeded') return null;
  const name = reasonName(reason);
  return { party: partyBehind(name), reason: name };
}
