/** The settings of one shop process, in the environment variable of this name as JSON. */
export const SETTINGS = 'SOAK_SHOP_SETTINGS';

export interface ShopSettings {
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly account: { readonly shopId: string; readonly secretKey: string };
  /** The platform's app, with which it also acts for stores of others. */
  readonly partner: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly permissions: readonly string[];
    readonly authUrl: string;
    readonly webhookUrl: string;
    readonly tokenKey: string;
  };
  /** The file of what handlers do outside the database. */
  readonly outsideEffects: string;
  /** Whether receipts go with the money, or follow it. */
  readonly scenario: 'with_payment' | 'after_payment';
  /** Business time at the start; from then on the parent process sets it. */
  readonly offsetMs: number;
}

/** Short, so that work of a dead process is soon taken over: leases last half as long again. */
export const limits = {
  requestTimeoutMs: 1_000,
  callDeadlineMs: 2_000,
  handlerTimeoutMs: 2_000,
  circuit: { openMs: 500 },
  // Time is ten times as fast, and so are the polls.
  rereads: { perSecond: 200 },
} as const;

/** Short, so that some are late within the run; the registers of the soak are the stores' own. */
export const fiscalization = { register: 'third_party', lateAfterMs: 10 * 60_000 } as const;

/** The one handler that hangs. */
export const HANGING_HANDLER = 'soak.succeeded-hanging';

/** Whether it hangs in this run, counted from 1. */
export function hangs(eventId: string, attempt: number): boolean {
  return Number(eventId) % 2 === 0 && attempt <= 2;
}

/** A process that was stopped for this long has lost every lease it held. */
export const LONGEST_LEASE_MS = 3_000;

/** Names the owner of a request: the owners of the soak are all signed in. */
export const OWNER_HEADER = 'x-owner';

export const sweepIntervalMs = 200;
