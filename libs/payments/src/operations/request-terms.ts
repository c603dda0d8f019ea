import type { ServiceProfile } from '../api/service-profile.js';
import type { Draft } from '../payment/draft.js';
import type { Fiscalization } from '../receipts/fiscalization.js';
import type { OperationRow } from '../schema/rows.js';
import type { CallTimes } from './new-operation.js';

/** What a host's request is decided by, besides the state. */
export interface RequestTerms {
  readonly profile: ServiceProfile;
  readonly fiscalization: Fiscalization | null;
  /** false: the database may have forgotten what was paid or refunded. Asked where something new would be made. */
  readonly isLetIn: () => boolean;
  /** Whether what has no row here may have been sent all the same, under a key that the service has forgotten. */
  readonly mayHaveBeenSent: () => boolean;
  /** null: the sweep sends it. */
  readonly caller: CallTimes | null;
}

/** What a host's request means: an operation that is to be sent, or that was recorded before. */
export interface Asked {
  readonly operation: OperationRow;
  /** With that operation; null: nothing is new. */
  readonly draft: Draft | null;
  /** Money leaves anew: not where the database may have forgotten that it left already. */
  readonly isAnew: boolean;
}
