import type { InstrumentName } from '../../../libs/payments/src/telemetry/instruments.js';
import type { Setting, WatchedShop } from '../../support/watched-shop.js';

/** A series of a metric that is not above a number while all is well, and is now. */
interface Moved {
  readonly name: InstrumentName;
  readonly labels: Readonly<Record<string, string>>;
  readonly above: number;
}

export const moved = (name: InstrumentName, labels: Moved['labels'] = {}, above = 0): Moved => ({
  name,
  labels,
  above,
});

/** Something that is wrong in a shop, and where it shows. docs/at-night.md has a table of all. */
export interface Fault {
  /** As the documents call it. */
  readonly name: string;
  readonly setting: Setting;
  /** Has it happen, and waits until the shop has met it. */
  bring(shop: WatchedShop): Promise<void>;
  /** What is due cannot be done while the fault lasts. */
  readonly stalls?: true;
  /** The path of the notification URL in the Merchant Profile. Default: the right one. */
  readonly notifiedPath?: string;
  /** What points at it; null: nothing does. */
  readonly shows: {
    /** A line of the log, without its end; … stands for what differs. */
    readonly log: string | null;
    /** What the health answer names. */
    readonly health: string | null;
    /** The page of the board, and what it says, likewise. */
    readonly board: { readonly path: string; readonly says: string } | null;
    readonly metric: Moved | null;
    /** The alerts that fire. */
    readonly alerts: readonly string[];
    /** The check of `doctor` that is not well, or null for several, and a part of what is found. */
    readonly doctor: { readonly check: string | null; readonly found: string } | null;
  };
}
