import { storable } from '../common/text.js';
import type { ServiceRefund } from '../api/service-refund.js';
import type { Metadata } from '../common/metadata.js';

/** What a refund made outside the module has of its maker's words, as far as the database can store them. */
export function wordsOf({ description, metadata }: Pick<ServiceRefund, 'description' | 'metadata'>): {
  readonly description: string | null;
  readonly metadata: Metadata;
} {
  const texts = Object.entries(metadata).flatMap(([key, value]) =>
    typeof value === 'string' ? [[storable(key), storable(value)]] : [],
  );
  return {
    description: description === null ? null : storable(description),
    metadata: Object.fromEntries(texts),
  };
}
