import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { FirstUse } from '../api/idempotence.js';
import type { Invoice } from '../invoices/invoice.js';
import type { Booking } from '../ledger/ledger.js';
import type { SavedMethod } from '../objects/saved-method.js';
import type { Payment } from '../payments/payment.js';
import type { Receipt } from '../receipts/receipt.js';
import type { Refund } from '../refunds/refund.js';
import type { Store } from '../stores/store.js';
import type { ProfileName } from '../wire/names.js';

/** Increased with every change of the format: an older file is refused, not misread. */
const VERSION = 5;

/** An object of the sandbox's own store, which is another object in the next run. */
export type Saved<Kind extends { readonly store: Store }> = Omit<Kind, 'store'>;

/** Whose state it is: read with the names of another profile, its payments would be something else. */
interface Owner {
  readonly accountId: string;
  readonly profile: ProfileName;
}

/** What one run leaves to the next, each list oldest first. */
export interface SavedState extends Owner {
  readonly offsetMs: number;
  readonly payments: readonly Saved<Payment>[];
  readonly refunds: readonly Saved<Refund>[];
  readonly receipts: readonly Saved<Receipt>[];
  readonly savedMethods: readonly Saved<SavedMethod>[];
  readonly invoices: readonly Saved<Invoice>[];
  readonly bookings: readonly Booking[];
  readonly firstUses: readonly (readonly [string, FirstUse])[];
}

/** null: there is no such file yet. Throws an Error that says what to do about a file that cannot be read. */
export function loadState(file: string, { accountId, profile }: Owner): SavedState | null {
  if (!existsSync(file)) return null;
  const state = decode(readFileSync(file));
  if (state === null) throw new Error(`${file} is no state of this sandbox: remove it to begin afresh.`);
  if (state.accountId !== accountId || state.profile !== profile)
    throw new Error(
      `${file} is the state of store ${state.accountId} in the profile ${state.profile}: start the sandbox with these, or ` +
        `name another file for store ${accountId} in the profile ${profile}.`,
    );
  return state;
}

/** In one step: a process that stops half-way leaves the previous state. */
export function writeState(file: string, state: SavedState): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, serialize({ ...state, version: VERSION }));
  renameSync(`${file}.new`, file);
}

function decode(bytes: Buffer): SavedState | null {
  try {
    const state: unknown = deserialize(bytes);
    return isState(state) ? state : null;
  } catch {
    return null;
  }
}

function isState(state: unknown): state is SavedState {
  return typeof state === 'object' && state !== null && 'version' in state && state.version === VERSION;
}
