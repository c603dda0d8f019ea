import { limits } from '../api/limits.js';
import { IsMetadata } from '../api/requests/rules.js';
import { PaymentInputError } from '../payments.errors.js';

/** The merchant's own entries, without our mark. */
export type Metadata = Readonly<Record<string, string>>;

/** One entry of the service's is ours: our id, by which a request is found whose answer was lost. */
export const IsOwnMetadata = (): PropertyDecorator => IsMetadata(limits.metadataEntries.value - 1);

/** @throws PaymentInputError where the key of our mark is used */
export function mustLeaveMark(metadata: Metadata, key: string | null, id: 'payment id' | 'refund id'): void {
  if (key === null || !Object.hasOwn(metadata, key)) return;
  throw new PaymentInputError('metadata', `must not use the key ${key}: it carries our ${id}`);
}

/** Whatever their order: the database does not keep it. */
export function isSameMetadata(one: Metadata, other: Metadata): boolean {
  return besides(one, other)?.length === 0;
}

/** The values that stand in `all` beside those of `own`; null where one of those is missing or another one. */
export function besides(all: Readonly<Record<string, unknown>>, own: Metadata): unknown[] | null {
  const has = Object.entries(own).every(([key, text]) => Object.hasOwn(all, key) && all[key] === text);
  return has ? Object.entries(all).flatMap(([key, value]) => (Object.hasOwn(own, key) ? [] : [value])) : null;
}
