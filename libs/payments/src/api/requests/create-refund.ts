import type { Amount } from '../../common/money.js';
import { Given } from '../../common/validation.js';
import { limits } from '../limits.js';
import { IsAmount } from './amount.js';
import { IsDescription, IsMetadata, IsServiceId } from './rules.js';

export class CreateRefundRequestShape {
  @IsServiceId('payment')
  readonly payment_id!: string;

  @IsAmount()
  readonly amount!: Amount;

  /** At most 250 characters. */
  @Given()
  @IsDescription(limits.refundDescriptionLength.value)
  readonly description?: string;

  /** At most 16 entries, keys of at most 32 and values of at most 512 characters. */
  @Given()
  @IsMetadata(limits.metadataEntries.value)
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The body of a refund (assumed: the interface shows none). */
export type CreateRefundRequest = Readonly<CreateRefundRequestShape>;
