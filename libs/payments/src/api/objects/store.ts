import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/** What the service returns about the token's store. */
export interface StoreObject extends OpenObject {
  readonly account_id: string;
  /** true: a demo store, only test payments are possible. */
  readonly test?: boolean;
  readonly status?: OpenEnum<'enabled' | 'disabled'>;
  readonly fiscalization_enabled?: boolean;
  /** Methods the store can take, in the interface's neutral words. */
  readonly payment_methods?: readonly OpenEnum<'bank_card' | 'wallet'>[];
  // assumed, like everything below: the interface does not show them
  readonly fiscalization?: { readonly enabled?: boolean; readonly provider?: string };
  readonly name?: string;
  /** Taxpayer number. */
  readonly itn?: string;
  readonly payout_methods?: readonly string[];
  readonly payout_balance?: Amount;
}

export function isStoreObject(body: unknown): body is StoreObject {
  return isRecord(body) && isText(body['account_id']);
}
