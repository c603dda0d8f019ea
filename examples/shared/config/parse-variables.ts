import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { existsSync } from 'node:fs';

/** The environment and the variables in this file; the environment takes precedence. */
export function variablesWith(file: string): Record<string, string | undefined> {
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

/**
 * The variables of this class, checked by its rules.
 * @throws one Error that lists every fault with its fix. A variable that is set but empty counts as not set.
 */
export function parseVariables<Environment extends object>(
  Environment: new () => Environment,
  variables: Record<string, string | undefined>,
  program: string,
): Environment {
  const known = Object.keys(new Environment());
  const given = Object.entries(variables).filter(([name, value]) => known.includes(name) && value?.trim());
  const environment = plainToInstance(Environment, Object.fromEntries(given));
  // In the order in which the class declares them, wherever each rule was written.
  const faults = validateSync(environment)
    .toSorted((a, b) => known.indexOf(a.property) - known.indexOf(b.property))
    .flatMap(({ constraints }) => Object.values(constraints ?? {}));
  if (faults.length > 0) {
    throw new Error(
      `${program} cannot start:\n${[...new Set(faults)].map((fault) => `  - ${fault}.`).join('\n')}`,
    );
  }
  return environment;
}
