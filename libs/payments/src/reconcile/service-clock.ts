import { Injectable } from '@nestjs/common';
import type { ObjectList } from '../api/object-list.js';
import { dateOrNull } from '../api/objects/fields.js';
import { ServiceClockUnknownError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { OperationEntity } from '../schema/operation.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { searchList, type Search, type SearchEnd } from './search-list.js';
import {
  likelyOffset,
  headerReading,
  stampReading,
  type ClockReading,
  type Offset,
  type Span,
} from './search-window.js';

/** Payments looked at on either side of a time. */
const STAMPS = 3;
/** A create that took longer says too little of the moment of its stamp. */
const LONGEST_CREATE = '2 minutes';

/**
 * Finds in the service's lists, which go by its clock, what happened at a time of ours (G16). The clocks may differ by any
 * amount: it is derived from payments of ours, and from the `Date` of the very list that is searched.
 */
@Injectable()
export class ServiceClock {
  constructor(private readonly database: Database) {}

  async search<Listed, Found>(storeId: string, search: Search<Listed, Found>): Promise<SearchEnd<Found>> {
    const { ours, proof } = search;
    const stamps = await (proof
      ? this.#stamps(storeId, { until: ours.from, since: ours.to })
      : this.#stampsIn(storeId, ours));
    return searchList(search, stamps, () => this.database.businessTime());
  }

  /**
   * How far the service's clock was probably ahead of ours at that time. `list`: a list of any objects; only the `Date` of its first page is read.
   * @throws ServiceClockUnknownError
   */
  async offset(storeId: string, ours: Span, list: ObjectList<unknown>): Promise<Offset> {
    const stamps = await this.#stampsIn(storeId, ours);
    const asked = await this.database.businessTime();
    let header: ClockReading | null = null;
    for await (const { date } of list.pages()) {
      header = date && headerReading({ from: asked, to: await this.database.businessTime() }, date);
      break;
    }
    const offset = likelyOffset({ stamps, header });
    if (offset === null) throw new ServiceClockUnknownError();
    return offset;
  }

  /** Of payments made in this time, and next to its ends. */
  #stampsIn(storeId: string, { from, to }: Span): Promise<ClockReading[]> {
    return this.#stamps(storeId, { until: to, since: from });
  }

  /** The timestamps of the service on the last payments of ours made until one time, and the first made since another. */
  async #stamps(
    storeId: string,
    { until, since }: { readonly until: Date; readonly since: Date },
  ): Promise<ClockReading[]> {
    const near = (condition: string, order: 'ASC' | 'DESC') =>
      `(SELECT operation.first_sent_at AS "from", operation.settled_at AS "to", payment.object ->> 'created_at' AS stamp
        FROM ${this.database.table(OperationEntity)} operation
        JOIN ${this.database.table(PaymentEntity)} payment ON payment.id = operation.payment_id
        WHERE operation.store_id = $1 AND operation.kind = 'create' AND operation.outcome = 'confirmed'
          AND operation.settled_at - operation.first_sent_at < interval '${LONGEST_CREATE}'
          AND operation.first_sent_at ${condition}
        ORDER BY operation.first_sent_at ${order} LIMIT ${STAMPS})`;
    const rows = await this.database.read((reader) =>
      reader.query<(Span & { stamp: string | null })[]>(
        `${near('<= $2', 'DESC')} UNION ALL ${near('>= $3', 'ASC')}`,
        [storeId, until, since],
      ),
    );
    return rows.flatMap(({ stamp, ...ours }) => {
      const stampedAt = dateOrNull(stamp);
      return stampedAt === null ? [] : [stampReading(ours, stampedAt)];
    });
  }
}
