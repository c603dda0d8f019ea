import { Injectable } from '@nestjs/common';
import { limits, IN_FLIGHT_MS } from '../api/limits.js';
import { PaymentsApi } from '../api/payments-api.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { raiseWronglyRejectedAmong } from '../apply/wrongly-rejected.js';
import { Database } from '../database/database.js';
import { buyerIn, buyerOfBody, isAnotherBuyer } from '../operations/found-try.js';
import { HeldPayments } from '../operations/held-payments.js';
import { markIn } from '../operations/request-body.js';
import { MarkedPayments } from '../payment/marked-payments.js';
import { isSameTry, readPaymentMark } from '../payment/payment-mark.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { PaymentLease } from './payment-lease.js';
import type { SearchEnd } from './search-list.js';
import { UNSEEN_STEP_MS, type Span } from './search-window.js';
import { searchAtService } from './service-clock.js';

/** The service may have worked on it for a while, and its clock may have been set. */
const MARGIN_MS = IN_FLIGHT_MS + UNSEEN_STEP_MS;
/** Ten thousand payments: some half a minute. */
const MAX_PAGES = 100;
/** As many of the newest payments of the time are looked through. */
export const MOST_LISTED = MAX_PAGES * limits.listPageMax.value;

/** What the list shows of a create. */
export interface SearchedCreate {
  readonly end: SearchEnd<ServicePayment>;
  /** What other requests made under its key, before the database forgot them. */
  readonly others: readonly ServicePayment[];
}

/** Looks through the service's list for the payment of a create, by our mark in the metadata. */
@Injectable()
export class CreateSearch {
  constructor(
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly database: Database,
    private readonly marked: MarkedPayments,
    private readonly held: HeldPayments,
    private readonly seal: ConfirmationSeal,
  ) {}

  /** `sent`: when it was sent, by our clock. */
  async run(
    metadataKey: string,
    { storeId, paymentId, body, attempts }: PaymentsOperationEntity,
    sent: Span,
    signal: AbortSignal,
    lease: PaymentLease,
  ): Promise<SearchedCreate> {
    await lease.request();
    const mark = markIn(body, metadataKey);
    const asked = readPaymentMark(storeId, mark);
    const buyer = buyerOfBody(body);
    const others = new Map<string, ServicePayment>();
    const options = this.stores.callOnce(storeId, signal);
    const end = await searchAtService(
      this.database,
      storeId,
      {
        ours: sent,
        marginMs: MARGIN_MS,
        proof: true,
        maxPages: MAX_PAGES,
        list: (theirs) =>
          this.api.listPayments(
            theirs
              ? {
                  'created_at.gte': theirs.from.toISOString(),
                  'created_at.lte': theirs.to.toISOString(),
                }
              : {},
            options,
          ),
        see: async (items) => {
          await lease.request();
          const objects = items.map((item) => parseServicePayment(item));
          const found = await this.marked.find(storeId, objects);
          await raiseWronglyRejectedAmong(this.held, found, 'sweep');
          for (const { object, marked } of found)
            if (asked !== null && isSameTry(marked, asked)) others.set(object.id, object);
          // An earlier buyer's, to whom the order's number was given before, may have the very same mark.
          const ours = objects.find(
            ({ metadata, kept }) =>
              mark !== null && metadata[metadataKey] === mark && !isAnotherBuyer(buyer, buyerIn(kept)),
          );
          return ours ? this.seal.sealed({ id: paymentId, storeId }, ours) : null;
        },
      },
      { paymentId, isSentOnce: attempts === 1 },
    );
    return { end, others: [...others.values()] };
  }
}
