import { Injectable } from '@nestjs/common';
import { IN_FLIGHT_MS, limits } from '../api/limits.js';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceError } from '../api/service-errors.js';
import { parseServicePayment } from '../api/service-payment.js';
import { Adoption } from '../apply/adoption.js';
import { HOUR_MS } from '../common/durations.js';
import { RecoveryInProgressError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { MarkedPayments } from '../payment/marked-payments.js';
import { isSameTry, type MarkedTry } from '../payment/payment-mark.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { searchAtService } from './service-clock.js';

/** The service knows a key for so long. */
const WINDOW_MS = limits.idempotenceKeyLifetimeMs.value;
const MARGIN_MS = HOUR_MS;
/** Ten thousand payments: some half a minute. */
const MAX_PAGES = 100;

/** A payment that the service has under a key of ours, while the database has forgotten it. */
interface Forgotten {
  readonly marked: MarkedTry;
  /** When the service said so. */
  readonly since: Date;
}

/** Finds the payment that was made under a key before the database forgot it, and adopts it. */
@Injectable()
export class ForgottenCreates {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly marked: MarkedPayments,
    private readonly adoption: Adoption,
  ) {}

  /**
   * Adopts what is found on the way as well. False: it was found; true: the service does not list it, and never will, or it is of an
   * earlier buyer, to whom the order's number was given before.
   * @throws RecoveryInProgressError if that is not known yet
   */
  async search({ id: storeId }: PaymentsStoreEntity, { marked, since }: Forgotten): Promise<boolean> {
    const { orderReference } = marked;
    const now = await this.database.businessTime();
    const options = this.stores.call(storeId);
    const looked = await searchAtService(this.database, storeId, {
      ours: { from: new Date(now.getTime() - WINDOW_MS), to: now },
      marginMs: MARGIN_MS,
      proof: true,
      maxPages: MAX_PAGES,
      list: (theirs) =>
        this.api.listPayments(theirs ? { 'created_at.gte': theirs.from.toISOString() } : {}, options),
      see: async (items) => {
        const objects = items.map((item) => parseServicePayment(item));
        const { ofEarlierBuyers } = await this.adoption.adopt(storeId, objects);
        const found = objects.filter((object) => isSameTry(this.marked.read(storeId, object), marked));
        return found.length > 0 ? { isOurs: found.some(({ id }) => !ofEarlierBuyers.has(id)) } : null;
      },
    }).catch((error: unknown) => {
      throw error instanceof ServiceError
        ? new RecoveryInProgressError(orderReference, { cause: error })
        : error;
    });
    if (looked.kind === 'found') return !looked.found.isOurs;
    // The list may lag behind for as long as a request may be worked on.
    if (looked.kind === 'absent' && now.getTime() - since.getTime() > IN_FLIGHT_MS) return true;
    throw new RecoveryInProgressError(orderReference);
  }
}
