import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceError } from '../api/service-errors.js';
import { readServicePayment, type ServicePayment } from '../api/service-payment.js';
import { Database } from '../database/database.js';
import { creationWindow, isQuiet } from '../operations/key-age.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { lockPayment } from '../payment/locks.js';
import { transition } from '../payment/transition.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { raiseAnomaly } from './anomaly.js';
import { Applier } from './applier.js';

/**
 * A create whose answer never came and whose caller is gone: it is looked up by our id in the metadata. Only a full
 * pass of the list over the time it was sent in, without it, proves that it was never received (G3).
 */
@Injectable()
export class LostCreate {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly applier: Applier,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  async lookUp(operation: OperationEntity, end: AbortSignal): Promise<void> {
    const { firstSentAt, lastSentAt, recordedAt, resendable } = operation;
    const quiet = isQuiet(lastSentAt ?? recordedAt, await this.database.businessTime());
    // Nobody can send it again, so what it did is all there is to find out: it is looked for at once.
    if (!quiet && (resendable || firstSentAt === null)) return;
    if (firstSentAt === null || lastSentAt === null) return this.#close(operation, null);
    const { metadataKey } = this.options.profile;
    if (metadataKey === null)
      return quiet ? this.#park(operation, 'the profile has it carry no id of ours') : undefined;
    let object: ServicePayment | null;
    try {
      const window = creationWindow(firstSentAt, lastSentAt);
      object = await this.#find(metadataKey, operation, window, end);
    } catch (error) {
      if (quiet && !end.aborted && error instanceof ServiceError)
        await this.#park(operation, `the list cannot be read (${error.code})`);
      throw error;
    }
    if (object !== null || quiet) await this.#close(operation, object);
  }

  async #find(
    metadataKey: string,
    { storeId, paymentId }: OperationEntity,
    window: { createdFrom: Date; createdTo: Date },
    signal: AbortSignal,
  ): Promise<ServicePayment | null> {
    const filter = {
      'created_at.gte': window.createdFrom.toISOString(),
      'created_at.lte': window.createdTo.toISOString(),
    };
    const { requestTimeoutMs: timeoutMs } = this.options;
    const options = { ...this.stores.call(storeId), timeoutMs, signal };
    for await (const object of this.api.listPayments(filter, options)) {
      const payment = readServicePayment(object);
      if (payment.metadata[metadataKey] === paymentId) return payment;
    }
    return null;
  }

  /** Left as it is, for the operator: nothing we can ask tells whether the service has the payment. */
  #park({ paymentId }: OperationEntity, why: string): Promise<void> {
    return this.database.transaction(async (manager) => {
      const { payment } = await lockPayment(manager, paymentId);
      const reason = `the outcome of its create is not known and cannot be looked up: ${why}`;
      await raiseAnomaly(manager, this.database, payment, reason, { cause: 'sweep' });
    });
  }

  #close({ id, paymentId, attempts }: OperationEntity, object: ServicePayment | null): Promise<void> {
    return this.database.transaction(async (manager) => {
      const locked = await lockPayment(manager, paymentId);
      const operation = await manager.findOneOrFail(OperationEntity, {
        where: { id },
        lock: { mode: 'for_no_key_update' },
      });
      // Its caller came back meanwhile and sent it again.
      if (operation.attempts !== attempts || locked.payment.status !== 'submitting') return;
      const settledAt = () => this.database.now;
      if (object === null) {
        const decision = { cause: 'sweep', evidence: { reason: 'never received', attempts } } as const;
        await transition(manager, this.database, locked, 'rejected', { nextCheckAt: null }, decision);
        await manager.update(OperationEntity, id, { outcome: 'refused', settledAt });
        return;
      }
      const reading = { object, cause: 'sweep', evidence: { source: 'list', attempts } } as const;
      const verdict = await this.applier.apply(manager, locked, reading);
      if (verdict.kind === 'anomaly')
        await raiseAnomaly(manager, this.database, locked.payment, verdict.reason, reading);
      else await manager.update(OperationEntity, id, { outcome: 'confirmed', settledAt });
    });
  }
}
