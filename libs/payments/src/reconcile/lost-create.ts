import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import type { ServicePayment } from '../api/service-payment.js';
import { Database } from '../database/database.js';
import { creationWindow, isQuiet } from '../operations/key-age.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { lockPayment } from '../payment/locks.js';
import { transition } from '../payment/transition.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
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
    private readonly applier: Applier,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  async lookUp(operation: OperationEntity): Promise<void> {
    const { firstSentAt, lastSentAt } = operation;
    if (firstSentAt === null || lastSentAt === null) return this.#close(operation, null);
    if (!isQuiet(lastSentAt, await this.database.businessTime())) return undefined;
    return this.#close(
      operation,
      await this.#find(operation.paymentId, creationWindow(firstSentAt, lastSentAt)),
    );
  }

  async #find(
    paymentId: string,
    window: { createdFrom: Date; createdTo: Date },
  ): Promise<ServicePayment | null> {
    for await (const payment of this.api.listPayments(window)) {
      if (payment.metadata[this.options.profile.metadataKey] === paymentId) return payment;
    }
    return null;
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
        await this.applier.raiseAnomaly(manager, locked.payment, verdict.reason, reading);
      else await manager.update(OperationEntity, id, { outcome: 'confirmed', settledAt });
    });
  }
}
