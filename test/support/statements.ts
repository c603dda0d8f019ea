import type { DataSource, Logger } from 'typeorm';

const none = () => undefined;

/** Records the first two words of every statement that the data source sends from now on. */
export function noteStatements(dataSource: DataSource, log: string[]): void {
  const logger: Logger = {
    logQuery: (sql) => void log.push(sql.trim().split(/\s+/).slice(0, 2).join(' ')),
    logQueryError: none,
    logQuerySlow: none,
    logSchemaBuild: none,
    logMigration: none,
    log: none,
  };
  Reflect.set(dataSource, 'logger', logger);
}
