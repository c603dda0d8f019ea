import type { PurchasePlan } from './purchase-plan.js';

/** A payment page that the buyer was sent to. */
interface Offer {
  readonly serviceId: string;
  readonly amountMinor: number;
}

/** Something that staff asked for, and what they were told. */
interface Ask extends Offer {
  /** The statuses in the shop's answers; none: it refused each time, or gave no answer. */
  told: readonly string[];
}

interface RefundAsk extends Ask {
  /** Null: made in the Merchant Profile. */
  readonly refundKey: string | null;
}

/**
 * What buyer and staff wanted of one order. Kept here, by the number of the order and by the service's ids, because the shops and
 * their database may forget it or take it for something else.
 */
export class Wishes {
  /** The newest last. */
  readonly offers: Offer[] = [];
  readonly captures: Ask[] = [];
  readonly cancels: Ask[] = [];
  readonly refunds: RefundAsk[] = [];
  /** An order got no answer, so that nobody outside the shop knows whether it counts. */
  isDoubtful = false;

  constructor(readonly plan: PurchasePlan) {}

  offered(serviceId: string, amountMinor: number): void {
    if (this.offers.at(-1)?.serviceId !== serviceId) this.offers.push({ serviceId, amountMinor });
  }
}
