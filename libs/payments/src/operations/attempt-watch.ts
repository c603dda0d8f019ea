import { Inject, Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database } from '../database/database.js';
import { isOver } from '../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { Sightings, type Attempt } from './sightings.js';

/**
 * When the last attempt of a request can no longer be on its way, by every clock (G16). The database's time may jump by hours, and
 * ends leases when it does; so this process waits itself as well.
 */
@Injectable()
export class AttemptWatch extends Sightings {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) { clock }: ResolvedPaymentsOptions,
  ) {
    super(clock);
  }

  /** Whether a look at the service that begins now decides: nothing of it can still arrive there or be worked on, and no sender has it. */
  async isOver(attempt: Attempt): Promise<boolean> {
    return this.hasWaited(attempt) && (await this.#isFree(attempt));
  }

  #isFree({ id }: Attempt): Promise<boolean> {
    const leaseUntil = Raw((column) => isOver(column));
    return this.database.read((from) => from.existsBy(PaymentsOperationEntity, { id, leaseUntil }));
  }
}
