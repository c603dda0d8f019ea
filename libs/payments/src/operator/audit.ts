import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import type { ServicePayment } from '../api/service-payment.js';
import { raiseWronglyRejectedAmong } from '../apply/wrongly-rejected.js';
import { mustBePeriod } from '../common/arguments.js';
import { DAY_MS } from '../common/durations.js';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { MarkedPayments, type MarkedObject } from '../payment/marked-payments.js';
import { searchWindow, type Offset, type Span } from '../reconcile/search-window.js';
import { serviceOffset } from '../reconcile/service-clock.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { differenceOf, type AuditDifference, type AuditRecord } from './audit-difference.js';
import { AuditRows, type AuditSpans } from './audit-rows.js';
import {
  createdIn,
  ourPayment,
  ourRefund,
  undefinedIfUnknown,
  theirPayments,
  theirRefunds,
  type TheirSide,
} from './audit-sides.js';
import { slices } from './compare.js';
import { ReceiptAudit } from './receipts/audit-receipts.js';
import { overdueIn, type UnsettledPrepayment } from './receipts/unsettled-prepayments.js';

/** The findings in one slice of the period. */
export interface AuditSlice {
  readonly from: Date;
  /** Where an interrupted audit continues: the next `from`. */
  readonly to: Date;
  readonly payments: number;
  readonly refunds: number;
  /** None where the service has no receipts; null: not compared, since the key may not list them. */
  readonly receipts: number | null;
  readonly differences: readonly AuditDifference[];
  /** Prepayments paid in it that were not settled within `fiscalization.unsettledAfterMs`: receipts that are due, no difference. */
  readonly unsettled: readonly UnsettledPrepayment[];
}

type Records = ReadonlyMap<string, AuditRecord>;

/** One kind of object, on both sides. */
interface Subject {
  readonly object: 'payment' | 'refund';
  readonly there: TheirSide;
  readonly created: (spans: AuditSpans) => Promise<string[]>;
  readonly known: (serviceIds: readonly string[]) => Promise<Records>;
}

/** A payment of the service that is bound to none of ours. */
type UnknownPayment = Pick<ServicePayment, 'id' | 'status' | 'amountMinor' | 'currency' | 'metadata'>;

/** Around the seconds that are uncertain on the service's clock. */
const MARGIN_MS = 60_000;

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
    private readonly held: HeldPayments,
    private readonly marked: MarkedPayments,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Day by day, so that a long period shows its progress and can be continued where it was interrupted. `comparedTo`: the end of the last day
   * that needs not be compared any more. Default: all are.
   */
  async *run(
    from: Date,
    to: Date,
    scope: StoreScope = {},
    comparedTo = from,
  ): AsyncGenerator<AuditSlice, void, undefined> {
    mustBePeriod(from, to);
    const store = await this.stores.find(scope);
    const { id: storeId } = store;
    const [payment, refund] = this.#subjects(storeId);
    const call = this.stores.call(storeId);
    const receiptAudit = new ReceiptAudit(this.database, this.api, call, store, this.options);
    const newest = this.api.listPayments({ limit: 1 }, call);
    const offset = await serviceOffset(this.database, storeId, { from, to }, newest);
    for (const slice of slices(from, to, DAY_MS).filter((one) => one.from >= comparedTo)) {
      const spans = { ours: slice, theirs: windowOf(slice, { from, to }, offset) };
      const payments = await this.#compare(payment, spans);
      const named = await this.marked.find(storeId, payments.unknown);
      // It may be one that was closed as rejected here.
      await raiseWronglyRejectedAmong(this.held, named, 'audit');
      const refunds = await this.#compare(refund, spans);
      const moved = { payments: payments.here, refunds: refunds.here };
      const receipts = await receiptAudit.compare(spans, moved);
      yield {
        ...slice,
        payments: payments.count,
        refunds: refunds.count,
        receipts: receipts?.count ?? null,
        differences: [payments, refunds, receipts]
          .flatMap((compared) => compared?.differences ?? [])
          .map((difference) => withNamed(difference, named)),
        unsettled: await overdueIn(this.database, this.options, storeId, slice),
      };
    }
  }

  #subjects(storeId: string): readonly [payment: Subject, refund: Subject] {
    const rows = new AuditRows(this.database, storeId);
    const call = this.stores.call(storeId);
    return [
      {
        object: 'payment',
        there: theirPayments(this.api, call, (object) => this.marked.markOf(object)),
        created: (spans) => rows.created(PaymentsPaymentEntity, spans),
        known: async (ids) => recordsOf(await rows.known(PaymentsPaymentEntity, ids), ourPayment),
      },
      {
        object: 'refund',
        there: theirRefunds(this.api, call),
        created: (spans) => rows.created(PaymentsRefundEntity, spans),
        known: async (ids) => recordsOf(await rows.known(PaymentsRefundEntity, ids), ourRefund),
      },
    ];
  }

  async #compare(
    subject: Subject,
    spans: AuditSpans,
  ): Promise<{ count: number; here: Records; differences: AuditDifference[]; unknown: UnknownPayment[] }> {
    const there = new Map<string, AuditRecord>();
    for await (const record of subject.there.list(createdIn(spans.theirs)))
      there.set(record.serviceId, record);
    const created = await subject.created(spans);
    const here = await subject.known([...new Set([...created, ...there.keys()])]);
    const ids = [...new Set([...here.keys(), ...there.keys()])];
    const { object } = subject;
    const suspects = ids.filter((id) => differenceOf(object, here.get(id), there.get(id)) !== null);
    const differences: AuditDifference[] = [];
    const unknown: UnknownPayment[] = [];
    // What moved while the list was read differs for a moment; what differs is read again on both sides.
    for (const id of suspects) {
      const again = await undefinedIfUnknown(subject.there.read(id));
      const mine = (await subject.known([id])).get(id);
      const found = differenceOf(object, mine, again);
      if (found) differences.push(found);
      if (!mine && again?.metadata) unknown.push({ id, metadata: again.metadata, ...again.audited });
    }
    return { count: ids.length, here, differences, unknown };
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

function recordsOf<Entity extends PaymentsPaymentEntity | PaymentsRefundEntity>(
  rows: Entity[],
  read: (row: Entity) => Omit<AuditRecord, 'serviceId'>,
): Records {
  return new Map(
    rows.flatMap((row) =>
      row.serviceId === null ? [] : [[row.serviceId, { serviceId: row.serviceId, ...read(row) }] as const],
    ),
  );
}

/** The payment of ours that the mark of an object names, although it is not bound to it. */
function withNamed(
  difference: AuditDifference,
  named: readonly MarkedObject<UnknownPayment>[],
): AuditDifference {
  const { object, paymentId, serviceId } = difference;
  if (object !== 'payment' || paymentId !== null) return difference;
  const found = named.find((one) => one.object.id === serviceId);
  return { ...difference, paymentId: found?.rows[0]?.id ?? null };
}
