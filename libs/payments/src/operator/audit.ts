import { Inject, Injectable } from '@nestjs/common';
import { dateOrNull } from '../api/objects/fields.js';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { FoundAfterAll, type FoundPayment } from '../apply/found-after-all.js';
import { formatAmount, parseAmount, type Amount } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { searchWindow, type Offset, type Span } from '../reconcile/search-window.js';
import { ServiceClock } from '../reconcile/service-clock.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { RefundEntity } from '../schema/refund.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import {
  ourPayment,
  ourRefund,
  theirPayments,
  theirRefunds,
  type AuditRecord,
  type TheirSide,
} from './audit-sides.js';
import { fieldsThatDiffer, slices, type Audited } from './compare.js';

/** One side's account of a payment or refund. */
export interface AuditedSide {
  readonly status: string;
  readonly amount: Amount;
  readonly refunded: Amount;
}

/** A disagreement between our rows and the service's list, read twice. */
export interface AuditDifference {
  readonly kind: 'missing_here' | 'missing_there' | 'different';
  readonly object: 'payment' | 'refund';
  /** The service's id. */
  readonly serviceId: string;
  /** Our payment; null if there is none, and none is named by the metadata. */
  readonly paymentId: string | null;
  readonly here: AuditedSide | null;
  readonly there: AuditedSide | null;
  /** With `different`: what differs. */
  readonly fields: readonly string[];
}

/** The findings in one slice of the period. */
export interface AuditSlice {
  readonly from: Date;
  /** Where an interrupted audit continues: the next `from`. */
  readonly to: Date;
  readonly payments: number;
  readonly refunds: number;
  readonly differences: readonly AuditDifference[];
}

type Records = ReadonlyMap<string, AuditRecord>;
type Row = PaymentEntity | RefundEntity;

/** Where a page of our rows ends. */
interface Place {
  readonly at: string;
  readonly id: string;
}

interface CreatedRow {
  readonly serviceId: string | null;
  readonly createdAt: Date;
  /** When the service says that it made it. */
  readonly stamp: string | null;
  readonly place: Place;
}

/** One kind of object, on both sides. */
interface Subject {
  readonly object: 'payment' | 'refund';
  readonly there: TheirSide;
  /** The service's ids of ours that it created in this time, according to its answers. */
  readonly created: (ours: Span, theirs: Span) => Promise<string[]>;
  readonly known: (serviceIds: readonly string[]) => Promise<Records>;
}

const DAY_MS = 86_400_000;
/** Rows of one statement: a busy day of a large shop has many times as many. */
const PAGE = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** Around the seconds that are uncertain on the service's clock. */
const MARGIN_MS = 60_000;
/** A create may reach the service this long after its row: keys live for 24 h. */
const EARLIER_MS = 25 * 3_600_000;

/**
 * Compares our rows with the service's lists for a period. It changes nothing on either side; a payment that was closed as
 * rejected and exists after all is raised as by any other look that finds it.
 */
@Injectable()
export class Audit {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly clock: ServiceClock,
    private readonly foundAfterAll: FoundAfterAll,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Day by day, so that a long period shows its progress and can be continued where it was interrupted. */
  async *run(from: Date, to: Date, scope: StoreScope = {}): AsyncIterableIterator<AuditSlice> {
    for (const [name, date] of Object.entries({ from, to }))
      if (!(date instanceof Date) || Number.isNaN(date.getTime()))
        throw new PaymentInputError(name, 'must be a valid Date');
    if (from >= to) throw new PaymentInputError('from', 'must be before to');
    const { metadataKey } = this.options.profile;
    const { id: storeId } = await this.stores.find(scope);
    const call = this.stores.call(storeId);
    const payment = this.#subject('payment', storeId, {
      there: theirPayments(this.api, call, metadataKey),
      entity: PaymentEntity,
      ours: ourPayment,
    });
    const refund = this.#subject('refund', storeId, {
      there: theirRefunds(this.api, call),
      entity: RefundEntity,
      ours: ourRefund,
    });
    const offset = await this.clock.offset(storeId, { from, to }, this.api.listPayments({ limit: 1 }, call));
    for (const slice of slices(from, to, DAY_MS)) {
      const theirs = windowOf(slice, { from, to }, offset);
      const payments = await this.#compare(payment, slice, theirs);
      await this.foundAfterAll.raiseAmong(storeId, payments.differences.flatMap(asFound), 'audit');
      const refunds = await this.#compare(refund, slice, theirs);
      yield {
        ...slice,
        payments: payments.count,
        refunds: refunds.count,
        differences: [...payments.differences, ...refunds.differences],
      };
    }
  }

  async #compare(
    subject: Subject,
    ours: Span,
    theirs: Span,
  ): Promise<{ count: number; differences: AuditDifference[] }> {
    const there = new Map<string, AuditRecord>();
    const window = { 'created_at.gte': theirs.from.toISOString(), 'created_at.lt': theirs.to.toISOString() };
    for await (const record of subject.there.list(window)) there.set(record.serviceId, record);
    const created = await subject.created(ours, theirs);
    const here = await subject.known([...new Set([...created, ...there.keys()])]);
    const ids = [...new Set([...here.keys(), ...there.keys()])];
    const suspects = ids.filter((id) => difference(subject, id, here.get(id), there.get(id)) !== null);
    const differences: AuditDifference[] = [];
    // What moved while the list was read differs for a moment; what differs is read again on both sides.
    for (const id of suspects) {
      const again = await this.#again(subject, id);
      const mine = (await subject.known([id])).get(id);
      const found = difference(subject, id, mine, again);
      if (found) differences.push(found);
    }
    return { count: ids.length, differences };
  }

  async #again(subject: Subject, serviceId: string): Promise<AuditRecord | undefined> {
    try {
      return await subject.there.read(serviceId);
    } catch (error) {
      if (error instanceof ServiceNotFoundError) return undefined;
      throw error;
    }
  }

  #subject<Entity extends Row>(
    object: Subject['object'],
    storeId: string,
    {
      there,
      entity,
      ours,
    }: {
      readonly there: TheirSide;
      readonly entity: new () => Entity;
      readonly ours: (row: Entity) => Omit<AuditRecord, 'serviceId'>;
    },
  ): Subject {
    return {
      object,
      there,
      created: (time, theirs) => this.#created(entity, storeId, time, theirs),
      known: async (ids) => recordsOf(await this.#known(entity, storeId, ids), ours),
    };
  }

  /** The service's timestamps are parsed here: a single invalid one would fail the whole statement in PostgreSQL. */
  async #created(entity: new () => Row, storeId: string, ours: Span, theirs: Span): Promise<string[]> {
    const latest = new Date(ours.to.getTime() + EARLIER_MS);
    const ids: string[] = [];
    let from: Place | null = { at: new Date(ours.from.getTime() - EARLIER_MS).toISOString(), id: BEFORE_ALL };
    while (from !== null) {
      const rows: CreatedRow[] = await this.#page(entity, storeId, from, latest);
      for (const { serviceId, createdAt, stamp } of rows) {
        const stampedAt = dateOrNull(stamp);
        const isTheirs = stampedAt ? isWithin(theirs, stampedAt) : isWithin(ours, createdAt);
        if (serviceId !== null && isTheirs) ids.push(serviceId);
      }
      from = rows.length < PAGE ? null : (rows.at(-1)?.place ?? null);
    }
    return ids;
  }

  #page(entity: new () => Row, storeId: string, from: Place, latest: Date): Promise<CreatedRow[]> {
    return this.database.read((reader) =>
      reader.query<CreatedRow[]>(
        `SELECT service_id AS "serviceId", created_at AS "createdAt", object ->> 'created_at' AS stamp,
           json_build_object('at', created_at, 'id', id) AS place
         FROM ${this.database.table(entity)}
         WHERE store_id = $1 AND (created_at, id) > ($2::timestamptz, $3::uuid) AND created_at < $4
         ORDER BY created_at, id LIMIT ${PAGE}`,
        [storeId, from.at, from.id, latest],
      ),
    );
  }

  async #known<Entity extends Row>(
    entity: new () => Entity,
    storeId: string,
    serviceIds: readonly string[],
  ): Promise<Entity[]> {
    const found: Entity[] = [];
    for (let start = 0; start < serviceIds.length; start += PAGE) {
      const rows = await this.database.read((from) =>
        from
          .createQueryBuilder(entity, 'row')
          .where('row.storeId = :storeId', { storeId })
          .andWhere('row.serviceId = ANY(:page)', { page: serviceIds.slice(start, start + PAGE) })
          .getMany(),
      );
      found.push(...rows);
    }
    return found;
  }
}

/**
 * A day of ours on the service's clock: days stay side by side, and the uncertainty of that clock is added at both ends of the
 * period.
 */
function windowOf(slice: Span, period: Span, offset: Offset): Span {
  const whole = searchWindow(period, offset, MARGIN_MS);
  const moved = (date: Date) => new Date(date.getTime() + offset.minMs);
  return {
    from: slice.from > period.from ? moved(slice.from) : whole.from,
    to: slice.to < period.to ? moved(slice.to) : whole.to,
  };
}

function isWithin({ from, to }: Span, date: Date): boolean {
  return date >= from && date < to;
}

function recordsOf<Entity extends Row>(
  rows: Entity[],
  read: (row: Entity) => Omit<AuditRecord, 'serviceId'>,
): Records {
  return new Map(
    rows.flatMap((row) =>
      row.serviceId === null ? [] : [[row.serviceId, { serviceId: row.serviceId, ...read(row) }] as const],
    ),
  );
}

function difference(
  { object }: Subject,
  serviceId: string,
  here: AuditRecord | undefined,
  there: AuditRecord | undefined,
): AuditDifference | null {
  const fields = here && there ? fieldsThatDiffer(here.audited, there.audited) : [];
  if (here && there && fields.length === 0) return null;
  if (!here && !there) return null;
  return {
    kind: here ? (there ? 'different' : 'missing_there') : 'missing_here',
    object,
    serviceId,
    paymentId: here?.paymentId ?? there?.paymentId ?? null,
    here: here ? sideOf(here.audited) : null,
    there: there ? sideOf(there.audited) : null,
    fields: fields.map((field) => field.replace(/Minor$/, '')),
  };
}

/** It may be one that was closed as rejected here. */
function asFound({ kind, paymentId, serviceId, there }: AuditDifference): FoundPayment[] {
  if (kind !== 'missing_here' || there === null) return [];
  const { currency } = there.amount;
  return [
    {
      paymentId,
      object: { id: serviceId, status: there.status, amountMinor: parseAmount(there.amount), currency },
    },
  ];
}

function sideOf({ status, amountMinor, refundedMinor, currency }: Audited): AuditedSide {
  return {
    status,
    amount: formatAmount(amountMinor, currency),
    refunded: formatAmount(refundedMinor, currency),
  };
}
