import type { HoldPolicy } from '@holdfast/payments';

import { Dice } from '../../common/dice.js';

/** Stores of owners other than the shop's; a share of all purchases is made there. */
export const CONNECTED_STORES = 2;

/** A refund, requested in the shop once or by several clicks at once, or made in the Merchant Profile. */
export interface RefundPlan {
  readonly amountMinor: number;
  readonly by: 'shop' | 'merchant profile';
  readonly clicks: number;
  /** The bank keeps it pending for a while, or refuses it. */
  readonly course: 'at once' | 'pending' | 'canceled';
  /** Of a piece of the cart's first line, at the price that was paid for it; the amount says nothing then. */
  readonly ofLine: boolean;
}

/** What happens to a hold. `race`: a capture and a cancel at once; `left`: to the module, a week later. */
type Finish = 'capture' | 'capture a part' | 'cancel' | 'race' | 'by the handler' | 'left';

/** Everything the buyer and the shop's staff are going to do with one order. */
export interface PurchasePlan {
  readonly reference: string;
  /** The connected store that is paid, by its number; null: the shop's own. */
  readonly store: number | null;
  readonly amountMinor: number;
  /** How often the order button is pressed at once, on whichever replica. */
  readonly clicks: number;
  /** Another amount: the cart has changed, and a second payment takes the first one's place. */
  readonly changedTo: number | null;
  /** Which payment page the buyer uses if there are two. */
  readonly pays: 'newest' | 'oldest' | 'both';
  readonly outcome: 'succeed' | 'decline' | 'abandon';
  /** How often the buyer's browser loads the return page at once. */
  readonly returns: number;
  /** How often the buyer loads it once more after that, a moment later each time. */
  readonly reloads: number;
  /** Null: charged at once. */
  readonly finish: Finish | null;
  readonly captureMinor: number;
  readonly holdPolicy: HoldPolicy;
  /** Together they may exceed what is left. */
  readonly refunds: readonly RefundPlan[];
  /** The shop gives all back as soon as it is paid, in the handler's transaction. */
  readonly refundedByHandler: boolean;
  /** The refunds are requested at once, not one after the other. */
  readonly refundsAtOnce: boolean;
  /**
   * This long afterwards, and after the database has forgotten something, somebody asks for the same again: the buyer presses the
   * button, and pays if the order is unpaid, the staff repeat their refunds under the same names. Null: nobody does.
   */
  readonly againAfterMs: number | null;
  /** For minutes the service accepts every re-read of its payments and answers none. */
  readonly rereadsHang: boolean;
  /** By SBP, which holds no amounts; else as the buyer likes. */
  readonly bySbp: boolean;
  /** The pieces on each line of the cart; what is paid is spread over them. */
  readonly cart: readonly number[];
  /** The goods are handed over after the payment, which prepays them; null: with it. What goes in parcels is kept. */
  readonly handsOver: 'all' | 'in parcels' | null;
  /** What the register does with the receipt of a payment that is charged at once. */
  readonly register: 'registers' | 'refuses' | 'is slow' | 'refuses late';
}

export function planPurchase(seed: number, number: number): PurchasePlan {
  const dice = new Dice(seed, `purchase ${number}`);
  const amountMinor = dice.whole(100, 500_000);
  const handsOver = new Dice(seed, `goods of purchase ${number}`).pick([
    null,
    null,
    'all',
    'in parcels',
  ] as const);
  return {
    reference: `order-${number}`,
    store: dice.pick([null, null, null, 0, 1]),
    amountMinor,
    clicks: dice.pick([1, 1, 2, 3]),
    changedTo: dice.chance(0.1) ? dice.whole(100, 500_000) : null,
    pays: dice.pick(['newest', 'newest', 'oldest', 'both']),
    outcome: dice.pick([
      'succeed',
      'succeed',
      'succeed',
      'succeed',
      'succeed',
      'succeed',
      'decline',
      'abandon',
    ]),
    returns: dice.pick([0, 0, 1, 2]),
    reloads: new Dice(seed, `reloads of purchase ${number}`).pick([0, 0, 4, 12]),
    finish: dice.pick([
      null,
      null,
      null,
      'capture',
      'capture a part',
      'cancel',
      'race',
      'by the handler',
      'left',
    ]),
    captureMinor: dice.whole(100, amountMinor),
    holdPolicy: dice.pick(['flag', 'capture', 'cancel']),
    refunds: Array.from({ length: dice.pick([0, 0, 1, 2, 3]) }, () => planRefund(dice, amountMinor)).filter(
      () => handsOver !== 'in parcels',
    ),
    handsOver,
    refundedByHandler: new Dice(seed, `return of purchase ${number}`).chance(0.1) && handsOver === null,
    refundsAtOnce: dice.chance(0.3),
    againAfterMs: planAgain(new Dice(seed, `doubts of purchase ${number}`)),
    rereadsHang: dice.chance(1 / 50),
    bySbp: dice.chance(0.3),
    cart: Array.from({ length: dice.whole(1, 4) }, () => dice.whole(1, 5)),
    register: dice.pick([
      'registers',
      'registers',
      'registers',
      'registers',
      'refuses',
      'is slow',
      'refuses late',
    ]),
  };
}

/** Bought and paid, nothing else: one payment, one notification. */
export function plainPurchase(number: number): PurchasePlan {
  return {
    reference: `order-${number}`,
    store: number % 4 === 0 ? 0 : null,
    amountMinor: 100_00,
    clicks: 1,
    changedTo: null,
    pays: 'newest',
    outcome: 'succeed',
    returns: 0,
    reloads: 0,
    finish: null,
    captureMinor: 100_00,
    holdPolicy: 'flag',
    refunds: [],
    refundedByHandler: false,
    refundsAtOnce: false,
    againAfterMs: null,
    rereadsHang: false,
    bySbp: false,
    cart: [1],
    handsOver: null,
    register: 'registers',
  };
}

/** Within the time in which a standby lags and is promoted, or well after. */
function planAgain(dice: Dice): number | null {
  return dice.chance(0.5) ? dice.whole(1_000, 15_000) : null;
}

function planRefund(dice: Dice, amountMinor: number): RefundPlan {
  return {
    amountMinor: dice.whole(1, amountMinor),
    by: dice.pick(['shop', 'shop', 'shop', 'merchant profile']),
    clicks: dice.pick([1, 1, 2]),
    course: dice.pick(['at once', 'at once', 'at once', 'pending', 'canceled']),
    ofLine: dice.chance(0.4),
  };
}
