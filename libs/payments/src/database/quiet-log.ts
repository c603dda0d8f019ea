import {
  AdvancedConsoleLogger,
  FileLogger,
  SimpleConsoleLogger,
  type DataSource,
  type Logger,
  type QueryRunner,
} from 'typeorm';

/** TypeORM's own that a host may make itself, e.g. with a file's path. */
const made = [AdvancedConsoleLogger, SimpleConsoleLogger, FileLogger];

/** One of TypeORM's own, which print every statement or none: by its name, by default, or made by the host. */
const isOwn = (given: unknown) =>
  given === undefined || typeof given === 'string' || made.some((kind) => given instanceof kind);

/**
 * Keeps out of the log of a host that has TypeORM print every statement what a process asks every few seconds though there is nothing to
 * do: the host would see little else. What fails is printed all the same, and a logger of the host's own is told of everything.
 * @param isQuiet of what this query runner asks
 * @returns puts the host's logger back
 */
export function quietLog(dataSource: DataSource, isQuiet: (runner: QueryRunner) => boolean): () => void {
  const { logger, options } = dataSource;
  const { logging } = options;
  const printsAll =
    logging === true || logging === 'all' || (Array.isArray(logging) && logging.includes('query'));
  if (!printsAll || !isOwn(options.logger)) return () => undefined;
  const logQuery: Logger['logQuery'] = (query, parameters, runner) => {
    if (runner === undefined || !isQuiet(runner)) logger.logQuery(query, parameters, runner);
  };
  // It stays what it is for whoever asks.
  const quiet: Logger = Object.create(logger, { logQuery: { value: logQuery } });
  dataSource.logger = quiet;
  return () => {
    if (dataSource.logger === quiet) dataSource.logger = logger;
  };
}
