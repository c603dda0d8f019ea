import type { Logger, QueryRunner } from 'typeorm';
import { normalised } from './normalised.js';

/** One statement as it was sent, with its parameters. */
export interface Sent {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** How its transaction asked for it to be planned. */
  readonly settings: string;
}

/** The last statements of each text: by then their rows exist. */
const KEPT = 3;

/** A data source's logger that keeps every statement on the module's tables, by its normalised text. */
export class Recorder implements Logger {
  readonly statements = new Map<string, readonly Sent[]>();
  readonly #settings = new WeakMap<QueryRunner, string>();

  logQuery(sql: string, parameters: readonly unknown[] = [], runner?: QueryRunner): void {
    if (runner && /^(START TRANSACTION|SET LOCAL enable_)/.test(sql))
      this.#settings.set(runner, sql.startsWith('SET') ? sql : '');
    const settings = runner?.isTransactionActive ? (this.#settings.get(runner) ?? '') : '';
    const text = normalised(sql);
    if (!text.includes('payments_')) return;
    this.statements.set(
      text,
      [...(this.statements.get(text) ?? []), { sql, parameters, settings }].slice(-KEPT),
    );
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
