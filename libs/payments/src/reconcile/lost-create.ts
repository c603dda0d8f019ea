import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '../api/service-errors.js';
import type { ServicePayment } from '../api/service-payment.js';
import { Adoption } from '../apply/adoption.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { readFacts } from '../apply/fact-reader.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { isQuiet } from '../operations/key-age.js';
import { KEY_REUSED } from '../operations/refused-operation.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { withPayment } from '../payment/locks.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { closeCreate } from './close-create.js';
import { CreateSearch, MOST_LISTED, type SearchedCreate } from './create-search.js';
import type { PaymentLease } from './payment-lease.js';
import { spanOf } from './search-window.js';

/**
 * A create whose answer never came and whose caller is gone: it is looked up by our id in the metadata. Only a full pass of the
 * list over the time it was sent in, by the service's clock, without it, proves that it was never received (G3); and if that
 * clock cannot be read, only a pass of the whole list (G16). The pass begins when the last attempt is over by every clock.
 */
@Injectable()
export class LostCreate {
  constructor(
    private readonly database: Database,
    private readonly search: CreateSearch,
    private readonly stores: StoreRegistry,
    private readonly adoption: Adoption,
    private readonly held: HeldPayments,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * `isOver`: nothing of its last attempt can still arrive at the service or be worked on there, as of now. `maySend`: whoever comes back
   * sends it again.
   */
  async lookUp(
    operation: PaymentsOperationEntity,
    { isOver, maySend }: { readonly isOver: boolean; readonly maySend: boolean },
    end: AbortSignal,
    lease: PaymentLease,
  ): Promise<void> {
    const { firstSentAt, lastSentAt, recordedAt } = operation;
    const quiet = isQuiet(lastSentAt ?? recordedAt, await this.database.businessTime());
    // Nobody can send it again, so its effect is all there is to find out: it is looked up at once.
    if (!quiet && (maySend || firstSentAt === null)) return;
    if (firstSentAt === null || lastSentAt === null) return isOver ? this.#close(operation, null) : undefined;
    const { metadataKey } = this.options.profile;
    if (metadataKey === null)
      return quiet ? this.#park(operation, 'its profile gives it no id of ours') : undefined;
    let searched: SearchedCreate;
    try {
      searched = await this.search.run(metadataKey, operation, spanOf(firstSentAt, lastSentAt), end, lease);
    } catch (error) {
      if (quiet && !end.aborted && error instanceof ServiceError)
        await this.#park(operation, `the list cannot be read (${error.code})`, error.retryable);
      throw error;
    }
    const { end: looked, others } = searched;
    if (looked.kind === 'found') await this.#close(operation, looked.found);
    else if (isOver && looked.kind === 'absent') await this.#closeAbsent(operation, others);
    else if (quiet && looked.kind === 'cut')
      await this.#park(
        operation,
        `the list is too long to be read to its end, and it is not among the newest ${MOST_LISTED} of its time`,
      );
  }

  /**
   * Left as it is, for the operator: no request can find out whether the service has the payment. In an outage that ends by
   * itself, and would be an incident of each buyer.
   */
  async #park(
    { paymentId, storeId }: PaymentsOperationEntity,
    why: string,
    endsByItself = false,
  ): Promise<void> {
    const reason = `the outcome of its create is not known and cannot be looked up: ${why}`;
    const how = { cause: 'sweep', ...(endsByItself && { endsByItself }) } as const;
    await this.held.changeAlone({ id: paymentId, storeId }, 'sweep', (before) => ({
      draft: raiseAnomaly(before, reason, how),
    }));
  }

  /** What the list shows under its key was made before the database forgot that, and is recorded again in its place. */
  async #closeAbsent(operation: PaymentsOperationEntity, others: readonly ServicePayment[]): Promise<void> {
    const [other] = others;
    await this.#close(operation, null, other ? { code: KEY_REUSED, paymentId: other.id } : null);
    if (others.length > 0) await this.adoption.adopt(operation.storeId, others);
  }

  async #close(
    { id, paymentId, storeId, attempts }: PaymentsOperationEntity,
    object: ServicePayment | null,
    lastError: object | null = null,
  ): Promise<void> {
    await withPayment(this.database, { id: paymentId, storeId }, async (manager, locked) => {
      const found = object
        ? {
            object,
            facts: await readFacts(this.database, this.stores, this.options, manager, locked, object),
          }
        : { object, lastError };
      await this.held.change(manager, locked, 'sweep', (before) => ({
        draft: closeCreate(before, { id, attempts }, found, this.options),
      }));
    });
  }
}
