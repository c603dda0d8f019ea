import type { PaymentsApi } from '../../api/payments-api.js';
import type { ReceiptListFilter } from '../../api/requests/list-filters.js';
import { ServiceForbiddenError } from '../../api/service-errors.js';
import { parseServiceReceipt } from '../../api/service-receipt.js';
import type { Database } from '../../database/database.js';
import type { ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { fiscalizationOf } from '../../receipts/fiscalization.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { PaymentsStoreEntity } from '../../schema/store.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import { differenceOf, sideOf, type AuditDifference, type AuditRecord } from '../audit-difference.js';
import { AuditRows, type AuditSpans } from '../audit-rows.js';
import { createdIn, undefinedIfUnknown } from '../audit-sides.js';
import { allReceipts } from './all-receipts.js';
import { listedReceipt, type ListedReceipt } from './listed-receipt.js';
import type { ReceiptAccount } from './receipt-account.js';
import { accountsOf, ownReceipts, type OwnRecord } from './receipt-accounts.js';
import { imbalanceOf, owesReceipts } from './receipt-balance.js';
import { suspectsOf, type MovedMoney } from './receipt-suspects.js';

interface Compared {
  readonly count: number;
  readonly differences: readonly AuditDifference[];
}

/** Compares the receipts of a store's slices: those that were sent by themselves one by one, and all of them with the money. */
export class ReceiptAudit {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly call: ReturnType<StoreRegistry['call']>,
    private readonly store: PaymentsStoreEntity,
    private readonly options: Pick<ResolvedPaymentsOptions, 'profile' | 'fiscalization'>,
  ) {}

  /** null: the key may not list receipts, and need not, to take payments. */
  async compare(spans: AuditSpans, moved: MovedMoney): Promise<Compared | null> {
    if (!this.options.profile.receipts) return { count: 0, differences: [] };
    try {
      return await this.#compare(spans, moved);
    } catch (error) {
      if (error instanceof ServiceForbiddenError) return null;
      throw error;
    }
  }

  async #compare(spans: AuditSpans, moved: MovedMoney): Promise<Compared> {
    const listed = await this.#list(createdIn(spans.theirs));
    const own = await this.#compareOwn(spans, listed);
    const sums = await this.#compareSums(moved, listed);
    return { count: own.count, differences: [...own.differences, ...sums] };
  }

  async #compareOwn(spans: AuditSpans, listed: readonly ListedReceipt[]): Promise<Compared> {
    const { id: storeId } = this.store;
    const there = new Map(listed.map((receipt) => [receipt.id, receipt]));
    const created = await new AuditRows(this.database, storeId).created(PaymentsReceiptEntity, spans);
    const ids = [...new Set([...created, ...there.keys()])];
    const here = await ownReceipts(this.database, storeId, ids);
    const differences: AuditDifference[] = [];
    for (const [id, record] of here) {
      if (ownDifference(record, there.get(id)) === null) continue;
      const again = await undefinedIfUnknown(this.api.fetchReceipt(id, this.call));
      const mine = (await ownReceipts(this.database, storeId, [id])).get(id);
      const found = ownDifference(mine, again && listedReceipt(parseServiceReceipt(again)));
      if (found) differences.push(found);
    }
    return { count: ids.length, differences };
  }

  async #compareSums(moved: MovedMoney, listed: readonly ListedReceipt[]): Promise<AuditDifference[]> {
    const rows = new AuditRows(this.database, this.store.id);
    const suspects = suspectsOf(moved, listed);
    const payments = await rows.known(PaymentsPaymentEntity, suspects.earlierPayments);
    const refunds = await rows.known(PaymentsRefundEntity, suspects.earlierRefunds);
    const ids = new Set(suspects.paymentIds);
    for (const { id } of payments) ids.add(id);
    for (const { paymentId } of refunds) ids.add(paymentId);
    const isRequired = fiscalizationOf(this.store, this.options.fiscalization)?.requireReceipt ?? false;
    const listedFor = new Set(
      listed.flatMap(({ paymentId, refundId }) => [paymentId ?? [], refundId ?? []].flat()),
    );
    const differences: AuditDifference[] = [];
    for (const account of await accountsOf(this.database, [...ids])) {
      // What has a receipt must have the right ones, whoever sent it.
      const has = [account, ...account.refunds].some(({ serviceId }) => listedFor.has(serviceId ?? ''));
      if (!has && !owesReceipts(account, isRequired)) continue;
      const all = await allReceipts(account, (filter) => this.#list(filter));
      const [mine] = await accountsOf(this.database, [account.paymentId]);
      const found = mine ? sumDifference(mine, all) : null;
      if (found) differences.push(found);
    }
    return differences;
  }

  async #list(filter: ReceiptListFilter): Promise<ListedReceipt[]> {
    const listed: ListedReceipt[] = [];
    for await (const object of this.api.listReceipts(filter, this.call))
      listed.push(listedReceipt(parseServiceReceipt(object)));
    return listed;
  }
}

/** A registration that is still followed has not been heard of yet. */
function ownDifference(
  here: OwnRecord | undefined,
  there: ListedReceipt | undefined,
): AuditDifference | null {
  if (here === undefined) return null;
  const { serviceId, audited } = here;
  const status = there?.status ?? 'unknown';
  const theirs: AuditRecord | undefined = there && {
    serviceId,
    paymentId: null,
    audited: { ...audited, status, amountMinor: there.totalMinor },
  };
  const ours = here.isFollowed && there ? { ...here, audited: { ...audited, status } } : here;
  return differenceOf('receipt', ours, theirs);
}

function sumDifference(account: ReceiptAccount, listed: readonly ListedReceipt[]): AuditDifference | null {
  const found = imbalanceOf(account, listed);
  if (found === null) return null;
  const { paymentId, serviceId } = account;
  const { here, there, fields } = found;
  return {
    kind: there === null ? 'missing_there' : 'different',
    object: 'receipts',
    serviceId,
    paymentId,
    here: sideOf(here),
    there: there && sideOf(there),
    fields,
  };
}
