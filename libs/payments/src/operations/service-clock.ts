import { Injectable } from '@nestjs/common';
import { dateOrNull } from '../api/objects/fields.js';
import { Database } from '../database/database.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { OperationEntity } from './operation.entity.js';
import { searchList, type Search, type SearchEnd } from './search-list.js';
import { readStamp, type ClockReading, type Span } from './search-window.js';

/** Payments looked at on either side of a time. */
const STAMPS = 3;
/** A create that took longer says too little of the moment of its stamp. */
const LONGEST_CREATE = '2 minutes';

/**
 * Finds in the service's lists, which go by its clock, what happened at a time of ours (G16). The clocks may differ by
 * anything: by how much is read off payments of ours, and off the `Date` of the very list that is searched.
 */
@Injectable()
export class ServiceClock {
  constructor(private readonly database: Database) {}

  async search<Listed, Found>(storeId: string, search: Search<Listed, Found>): Promise<SearchEnd<Found>> {
    const stamps = await this.stamps(storeId, search.ours);
    return searchList(search, stamps, () => this.database.businessTime());
  }

  /** What the service's clock stamped on payments of ours, made nearest before and after this time. */
  async stamps(storeId: string, { from, to }: Span): Promise<ClockReading[]> {
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
        [storeId, from, to],
      ),
    );
    return rows.flatMap(({ stamp, ...ours }) => {
      const stampedAt = dateOrNull(stamp);
      return stampedAt === null ? [] : [readStamp(ours, stampedAt)];
    });
  }
}
