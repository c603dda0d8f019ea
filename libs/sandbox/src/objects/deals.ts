import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import { wireAmount, type WireAmount } from '../common/money.js';
import { DAY_MS } from '../common/time.js';
import { Book } from '../stores/book.js';
import type { Store } from '../stores/store.js';
import type { Announce } from '../wire/events.js';

/** How long a deal stays open (assumed). */
const DEAL_TERM_MS = 90 * DAY_MS;

export interface Deal {
  readonly id: string;
  readonly store: Store;
  readonly status: 'opened' | 'closed';
  readonly createdAt: Date;
}

/** A deal in an answer (assumed: the interface leaves it open). */
export interface WireDeal {
  readonly type: 'safe_deal';
  readonly id: string;
  readonly balance: WireAmount;
  readonly payout_balance: WireAmount;
  readonly status: Deal['status'];
  readonly created_at: string;
  readonly expires_at: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly test: boolean;
}

interface Dependencies {
  readonly clock: SandboxClock;
  readonly store: Store;
  /** Called for every deal that is closed, at that moment. */
  readonly announce: Announce<Deal>;
}

/** All deals, and the only place that makes or changes one. */
export class Deals extends Book<Deal> {
  constructor(private readonly dependencies: Dependencies) {
    super('deal');
  }

  create(): Deal {
    const { clock, store } = this.dependencies;
    const deal: Deal = { id: `dl-${randomUUID()}`, store, status: 'opened', createdAt: clock.now() };
    return this.put(deal);
  }

  /** Throws ControlError (404, 409). */
  close(id: string): Deal {
    const deal = this.get(id);
    if (deal.status === 'closed') throw new ControlError(409, `Deal ${id} is closed already`);
    const closed = this.put({ ...deal, status: 'closed' });
    this.dependencies.announce('deal.closed', closed, this.dependencies.clock.now());
    return closed;
  }
}

/** Deals of the sandbox hold no money of their own. */
export function dealView({ id, store, status, createdAt }: Deal): WireDeal {
  return {
    type: 'safe_deal',
    id,
    balance: wireAmount(0),
    payout_balance: wireAmount(0),
    status,
    created_at: createdAt.toISOString(),
    expires_at: new Date(createdAt.getTime() + DEAL_TERM_MS).toISOString(),
    metadata: {},
    test: store.demo,
  };
}
