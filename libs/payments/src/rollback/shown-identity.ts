import { Inject, Injectable } from '@nestjs/common';
import { sqlState } from '../common/sql-state.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { ServerIdentity } from './notice.js';

/**
 * How an ordinary role is shown which server it is asking, and on which timeline. Of the timeline, the name of the log that is being
 * written says it: `pg_control_checkpoint()` says so only after the first checkpoint that follows a promotion.
 */
const WAYS = {
  systemIdentifier: '(SELECT system_identifier::text FROM pg_control_system())',
  timeline: 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)',
} as const;

/** Another database of the same server has another number, and one of the same number on another server mostly another name. */
const DATABASE = `(SELECT oid || ' ' || datname FROM pg_database WHERE datname = current_database())`;

/** insufficient_privilege, undefined_function and feature_not_supported: some managed services forbid a way, or lack it. */
const NOT_SHOWN = new Set(['42501', '42883', '0A000']);

const NOTHING = 'NULL::text';

/** What the server shows of its identity. A way that it forbids is not tried again with each beat. */
@Injectable()
export class ShownIdentity {
  #ways: Readonly<Record<keyof ServerIdentity, string>> | null = null;

  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL of each; `NULL` where the server does not show it. Only after {@link learn}. */
  get ways(): Readonly<Record<keyof ServerIdentity, string>> {
    if (this.#ways === null) throw new Error('What the server shows of its identity is not known yet.');
    return this.#ways;
  }

  get isLearned(): boolean {
    return this.#ways !== null;
  }

  async learn(): Promise<void> {
    const { installation } = this.options;
    this.#ways ??= {
      systemIdentifier: await this.#allowed(WAYS.systemIdentifier),
      timeline: await this.#allowed(WAYS.timeline),
      database: DATABASE,
      // Its rule leaves nothing to be quoted.
      installation: installation === null ? NOTHING : `'${installation}'::text`,
    };
  }

  /** After a statement with {@link ways} failed: another server may forbid more. */
  heed(error: unknown): void {
    if (NOT_SHOWN.has(sqlState(error) ?? '')) this.#ways = null;
  }

  async #allowed(way: string): Promise<string> {
    try {
      await this.database.read((from) => from.query(`SELECT ${way}`));
      return way;
    } catch (error) {
      if (NOT_SHOWN.has(sqlState(error) ?? '')) return NOTHING;
      throw error;
    }
  }
}
