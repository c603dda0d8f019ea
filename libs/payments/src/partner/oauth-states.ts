import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { IsNull, type EntityManager } from 'typeorm';
import { plusMs } from '../common/clock.js';
import { DAY_MS, HOUR_MS } from '../common/durations.js';
import { Database } from '../database/database.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { PaymentsOAuthStateEntity } from '../schema/oauth-state.entity.js';

/** An owner may have to sign in and look for a password first; the code itself is valid for five minutes only. */
const STATE_LIFETIME_MS = HOUR_MS;
/** How long an expired one is kept, so that its owner is led to a fresh start and not to an error. */
const KEPT_MS = DAY_MS;
/** 256 bits, base64url; far below the 1024 characters a state may have. */
const STATE = /^[\w-]{43}$/;
/** How many expired ones are removed with each new one. */
const OVER_AT_ONCE = 100;

/** The data that an owner set out with. */
interface Departure {
  readonly ownerRef: string;
  readonly returnTo: string;
  readonly restarted: boolean;
}

/** A departure whose owner is back. */
export interface Arrival extends Departure {
  readonly stateHash: string;
  /** `first`: this request continues it. */
  readonly kind: 'first' | 'expired' | 'again';
  /** Where an earlier request led the owner; null: it is not over yet. */
  readonly outcome: string | null;
  readonly storeId: string | null;
}

/** States on their way to the service and back: single-use, expiring, and valid for one owner only. */
@Injectable()
export class OAuthStates {
  constructor(
    private readonly database: Database,
    private readonly gate: RecoveryGate,
  ) {}

  /**
   * Returns the state; the table contains only its hash.
   * @throws UnconfirmedDatabaseError
   */
  async issue({ ownerRef, returnTo, restarted }: Departure): Promise<string> {
    await this.gate.mustBeConfirmed();
    const state = randomBytes(32).toString('base64url');
    const { now } = this.database;
    await this.database.transaction((manager) =>
      manager.query(
        `WITH over AS (
           DELETE FROM ${this.#table} WHERE state_hash = ANY(ARRAY(
             SELECT state_hash FROM ${this.#table} WHERE expires_at < ${plusMs(now, -KEPT_MS)}
             ORDER BY expires_at LIMIT ${OVER_AT_ONCE} FOR UPDATE SKIP LOCKED
           ))
         )
         INSERT INTO ${this.#table} (state_hash, owner_ref, return_to, restarted, expires_at)
         VALUES ($1, $2, $3, $4, ${plusMs(now, STATE_LIFETIME_MS)})`,
        [hashOf(state), ownerRef, returnTo, restarted],
      ),
    );
    return state;
  }

  /**
   * The departure of this owner's state; of several requests at once only one is the `first`. null: there is none, or it is
   * another owner's, for whom it stays valid.
   */
  async arrive(state: unknown, ownerRef: string): Promise<Arrival | null> {
    if (typeof state !== 'string' || !STATE.test(state)) return null;
    const stateHash = hashOf(state);
    const { now } = this.database;
    return this.database.transaction(async (manager) => {
      const [used] = await manager.query<[Departure[], number]>(
        `UPDATE ${this.#table} SET used_at = ${now}
         WHERE state_hash = $1 AND owner_ref = $2 AND used_at IS NULL AND expires_at > ${now}
         RETURNING owner_ref AS "ownerRef", return_to AS "returnTo", restarted`,
        [stateHash, ownerRef],
      );
      const [departure] = used;
      if (departure) return { ...departure, stateHash, kind: 'first', outcome: null, storeId: null };
      const known = await manager.findOneBy(PaymentsOAuthStateEntity, { stateHash, ownerRef });
      if (!known) return null;
      const { returnTo, restarted, outcome, storeId } = known;
      const kind = known.usedAt === null ? 'expired' : 'again';
      return { ownerRef, returnTo, restarted, stateHash, kind, outcome, storeId };
    });
  }

  /** Binds the code to this state, for good. false: it came with another one before, here or in another process. */
  async takeCode({ stateHash }: Arrival, code: string): Promise<boolean> {
    const codeHash = hashOf(code);
    return this.database.transaction(async (manager) => {
      // One at a time, so that of two states at once the second sees the first.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [codeHash]);
      const [taken] = await manager.query<[object[], number]>(
        `UPDATE ${this.#table} SET code_hash = $1
         WHERE state_hash = $2 AND NOT EXISTS (SELECT FROM ${this.#table} WHERE code_hash = $1)
         RETURNING state_hash`,
        [codeHash, stateHash],
      );
      return taken.length === 1;
    });
  }

  /** Records the first result, for whoever comes with the same state again. */
  settle(arrival: Arrival, outcome: string): Promise<void> {
    return this.database.transaction((manager) => this.settleIn(manager, arrival, outcome, null));
  }

  async settleIn(
    manager: EntityManager,
    { stateHash }: Arrival,
    outcome: string,
    storeId: string | null,
  ): Promise<void> {
    await manager.update(PaymentsOAuthStateEntity, { stateHash, outcome: IsNull() }, { outcome, storeId });
  }

  get #table(): string {
    return this.database.table(PaymentsOAuthStateEntity);
  }
}

/** The hash of a state or a code: whoever reads the table can use neither. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
