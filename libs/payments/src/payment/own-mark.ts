import { limits } from '../api/limits.js';
import { IsMetadata } from '../api/requests/rules.js';
import type { Metadata } from '../common/metadata.js';
import { PaymentInputError } from '../common/payments.errors.js';

/** One entry of the service's metadata is ours: our id, by which a request is found whose answer was lost. */
export const IsOwnMetadata = (): PropertyDecorator => IsMetadata(limits.metadataEntries.value - 1);

/** @throws PaymentInputError if the key of our mark is used */
export function mustLeaveMark(metadata: Metadata, key: string | null, id: 'payment id' | 'refund id'): void {
  if (key === null || !Object.hasOwn(metadata, key)) return;
  throw new PaymentInputError('metadata', `must not use the key ${key}: it is reserved for our ${id}`);
}
