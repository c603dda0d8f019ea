import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { FirstUse } from '../api/idempotence.js';
import type { Booking } from '../ledger/ledger.js';
import type { Payment } from '../payments/payment.js';
import type { Receipt } from '../receipts/receipt.js';
import type { Refund } from '../refunds/refund.js';
import type { Store } from '../stores/store.js';

/** Increased with every change of the format: an older file is refused, not misread. */
const VERSION = 4;

/** An object of the sandbox's own store, which is another object in the next run. */
export type Saved<Kind extends { readonly store: Store }> = Omit<Kind, 'store'>;

/** What one run leaves to the next, each list oldest first. */
export interface SavedState {
  readonly offsetMs: number;
  readonly payments: readonly Saved<Payment>[];
  readonly refunds: readonly Saved<Refund>[];
  readonly receipts: readonly Saved<Receipt>[];
  readonly bookings: readonly Booking[];
  readonly firstUses: readonly (readonly [string, FirstUse])[];
}

/** null: there is no such file yet. Throws an Error that says what to do about a file that cannot be read. */
export function loadState(file: string): SavedState | null {
  if (!existsSync(file)) return null;
  const state = decode(readFileSync(file));
  if (state === null) throw new Error(`${file} is no state of this sandbox: remove it to begin afresh.`);
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
