import type { Logger } from 'typeorm';

/** One statement as the data source received it. */
export interface SentStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Keeps what passes through a data source, whoever sends it. */
export class StatementLog implements Logger {
  #sent: SentStatement[] = [];

  take(): readonly SentStatement[] {
    return this.#sent.splice(0);
  }

  logQuery(sql: string, parameters: readonly unknown[] = []): void {
    this.#sent.push({ sql, parameters });
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
