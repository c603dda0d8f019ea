import { Inject, Injectable } from '@nestjs/common';
import type { ServicePayment } from '../api/service-payment.js';
import { storable } from '../common/text.js';
import { Database, type Reader } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { readPaymentMark, type MarkedPayment } from './payment-mark.js';

/** A row that a mark names. Where a key was used with another body, the order has two of the same try. */
export type NamedPayment = Pick<PaymentsPaymentEntity, 'id' | 'storeId' | 'status' | 'serviceId'> & {
  /** The service had another payment under its key: this one was never made. */
  readonly isKeyReused: boolean;
};

/** An object of the service with a mark of ours, and the rows that the mark names. */
export interface MarkedObject<Found> {
  readonly object: Found;
  readonly marked: MarkedPayment;
  readonly rows: readonly NamedPayment[];
}

/** Finds the payments of ours that objects of the service name by their mark. */
@Injectable()
export class MarkedPayments {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** What an object's mark says; null: it has none of ours. */
  read(storeId: string, object: Pick<ServicePayment, 'metadata'>): MarkedPayment | null {
    return readPaymentMark(storeId, this.markOf(object));
  }

  /** The entry of an object's metadata that is ours, whatever stands in it; undefined: there is none. */
  markOf({ metadata }: Pick<ServicePayment, 'metadata'>): unknown {
    const { metadataKey } = this.options.profile;
    return metadataKey === null ? undefined : metadata[metadataKey];
  }

  /** The host's own words on an object, without our mark, as far as the database can store them. */
  wordsOf({ kept, metadata }: Pick<ServicePayment, 'kept' | 'metadata'>): {
    readonly description: string | null;
    readonly metadata: Record<string, string>;
  } {
    const { description } = kept;
    const own = Object.entries(metadata).flatMap(([key, text]) =>
      typeof text === 'string' && key !== this.options.profile.metadataKey
        ? [[storable(key), storable(text)]]
        : [],
    );
    return {
      description: typeof description === 'string' ? storable(description) : null,
      metadata: Object.fromEntries(own),
    };
  }

  /** Those objects that have a mark of ours. */
  async find<Found extends Pick<ServicePayment, 'metadata'>>(
    storeId: string,
    objects: readonly Found[],
  ): Promise<MarkedObject<Found>[]> {
    const ours = objects.flatMap((object) => {
      const marked = this.read(storeId, object);
      return marked === null ? [] : [{ object, marked }];
    });
    if (ours.length === 0) return [];
    const marks = ours.map(({ marked }) => marked);
    const rows = await this.database.read((from) => this.rowsOf(from, storeId, marks));
    return ours.map((found, place) => ({ ...found, rows: rows[place] ?? [] }));
  }

  /** The rows that each of these marks names. */
  async rowsOf(from: Reader, storeId: string, marks: readonly MarkedPayment[]): Promise<NamedPayment[][]> {
    const { database } = this;
    const rows = await from.query<(NamedPayment & { place: string })[]>(
      // Looked up one by one, by the keys, however many the planner takes them for.
      `SELECT asked.place, payment.id, payment.store_id AS "storeId", payment.status, payment.service_id AS "serviceId",
         COALESCE((SELECT last_error ->> 'code' = 'service_key_reused' FROM ${database.table(PaymentsOperationEntity)}
           WHERE payment_id = payment.id AND kind = 'create'), false) AS "isKeyReused"
       FROM unnest($2::text[], $3::text[], $4::int[]) WITH ORDINALITY AS asked (reference, part, try_number, place)
       CROSS JOIN LATERAL (
         SELECT id FROM ${database.table(PaymentsOrderEntity)} WHERE store_id = $1 AND reference = asked.reference OFFSET 0
       ) named
       CROSS JOIN LATERAL (
         SELECT id, store_id, status, service_id FROM ${database.table(PaymentsPaymentEntity)} known
         WHERE order_id = named.id AND known.part = asked.part AND known.try_number = asked.try_number OFFSET 0
       ) payment
       ORDER BY payment.id`,
      [
        storeId,
        marks.map(({ orderReference }) => orderReference),
        marks.map(({ part }) => part),
        marks.map(({ tryNumber }) => tryNumber),
      ],
    );
    return marks.map((_mark, place) => rows.filter((row) => Number(row.place) === place + 1));
  }
}
