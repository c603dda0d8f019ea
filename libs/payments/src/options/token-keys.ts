import { Secret } from '../api/secret.js';
import { isRecord } from '../common/is-record.js';

/** The keys that stores' access tokens are encrypted with in the database. */
export interface TokenKeys {
  /** Id of the key that tokens are encrypted with from now on. */
  readonly current: string;
  /**
   * Every key that a stored token may still be encrypted with, by id (1 to 32 letters, digits, `-` and `_`): base64 of 32
   * random bytes, as `openssl rand -base64 32` prints them.
   */
  readonly keys: Readonly<Record<string, string>>;
}

export interface ResolvedTokenKeys {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Secret>;
}

/** The first rule that these break, in words that show no key; none: they are right. */
export function tokenKeysFaults(value: unknown): string[] {
  if (value === undefined)
    return ['must be set with partner: the tokens of connected stores are encrypted with them'];
  const keys = isRecord(value) ? value['keys'] : undefined;
  if (!isRecord(value) || !isRecord(keys)) return ['must be { current, keys }'];
  for (const [id, key] of Object.entries(keys)) {
    if (!/^[\w-]{1,32}$/.test(id)) return ['.keys must have ids of 1 to 32 letters, digits, - and _'];
    if (!isKey(key))
      return [`.keys.${id} must be base64 of 32 bytes, as openssl rand -base64 32 prints them`];
  }
  const { current } = value;
  if (typeof current !== 'string' || !Object.hasOwn(keys, current))
    return ['.current must be the id of one of tokenKeys.keys'];
  return [];
}

/** Buffer.from would accept anything: only the one way to write 32 bytes is a key. */
function isKey(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === value;
}

export function resolveTokenKeys({ current, keys }: TokenKeys): ResolvedTokenKeys {
  return { current, keys: new Map(Object.entries(keys).map(([id, key]) => [id, new Secret(key)])) };
}
