import type { Database } from '../../database/database.js';
import { PaymentsDueEntity } from '../../schema/due.entity.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { AuditRecord } from '../audit-difference.js';
import { eachKnown, inPages } from '../audit-rows.js';
import type { ReceiptAccount } from './receipt-account.js';

/** A receipt that was sent by itself, as we have it. */
export interface OwnRecord extends AuditRecord {
  /** It is pending, and will be asked for again. */
  readonly isFollowed: boolean;
}

interface OwnRow {
  readonly serviceId: string;
  readonly paymentId: string;
  readonly status: string;
  readonly amountMinor: string;
  readonly currency: string;
  readonly isFollowed: boolean;
}

/** Receipts of one statement. */
const PAGE = 1_000;
/** Payments of one statement, each with its refunds and receipts. */
const PAGE_OF_ACCOUNTS = 100;

/** A store's receipts that were sent by themselves, by the service's ids. OFFSET 0 has the queue looked at by its key for each. */
export async function ownReceipts(
  database: Database,
  storeId: string,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, OwnRecord>> {
  const rows = await inPages(serviceIds, PAGE, (page) =>
    database.read((from) =>
      from.query<OwnRow[]>(
        `SELECT own.service_id AS "serviceId", own.payment_id AS "paymentId", own.status, own.amount_minor AS "amountMinor",
           own.currency, own.status = 'pending' AND
             EXISTS (SELECT FROM ${database.table(PaymentsDueEntity)} due WHERE due.payment_id = own.payment_id OFFSET 0) AS "isFollowed"
         FROM ${eachKnown(database, PaymentsReceiptEntity)} own`,
        [storeId, page],
      ),
    ),
  );
  return new Map(
    rows.map(({ serviceId, paymentId, status, amountMinor, currency, isFollowed }) => {
      const audited = { status, amountMinor: Number(amountMinor), refundedMinor: 0, currency };
      return [serviceId, { serviceId, paymentId, audited, isFollowed }];
    }),
  );
}

/** Of these payments of ours that the service knows. */
export function accountsOf(database: Database, paymentIds: readonly string[]): Promise<ReceiptAccount[]> {
  const sql = accountSql(database);
  return inPages(paymentIds, PAGE_OF_ACCOUNTS, async (page) => {
    const rows = await database.read((from) => from.query<{ account: ReceiptAccount }[]>(sql, [page]));
    return rows.map(({ account }) => account);
  });
}

/** As JSON, in which sums are numbers. */
function accountSql(database: Database): string {
  const [payments, refunds, receipts, problems, operations] = [
    PaymentsPaymentEntity,
    PaymentsRefundEntity,
    PaymentsReceiptEntity,
    PaymentsReceiptProblemEntity,
    PaymentsOperationEntity,
  ].map((entity) => database.table(entity));
  // Texts of a body are quoted in it, so none of them can contain this.
  const wasSent = `EXISTS (SELECT FROM ${operations} sent
    WHERE sent.payment_id = payment.id AND sent.kind = 'create' AND strpos(sent.body, '"receipt":{') > 0 OFFSET 0)`;
  return `SELECT json_build_object(
      'paymentId', payment.id, 'serviceId', payment.service_id, 'status', payment.status, 'currency', payment.currency,
      'authorizedMinor', payment.authorized_minor, 'capturedMinor', payment.captured_minor,
      'refundedMinor', payment.refunded_minor, 'receiptStatus', payment.receipt_status,
      'method', coalesce(payment.object #>> '{payment_method,type}', payment.method), 'wasSent', ${wasSent},
      'refunds', ${ofPayment(`'id', mine.id, 'serviceId', mine.service_id, 'status', mine.status, 'receiptStatus', mine.receipt_status, 'amountMinor', mine.amount_minor`, refunds)},
      'own', ${ofPayment(`'id', mine.id, 'serviceId', mine.service_id, 'refundId', mine.refund_id, 'type', mine.type, 'status', mine.status, 'amountMinor', mine.amount_minor`, receipts)},
      'problems', ${ofPayment(`'refundId', mine.refund_id, 'receiptId', mine.receipt_id, 'status', mine.status, 'resolution', mine.resolution`, problems)}
    ) AS account
    FROM ${payments} payment WHERE payment.id = ANY($1) AND payment.service_id IS NOT NULL`;
}

/** SQL of a JSON array: these fields of what belongs to the payment. */
function ofPayment(fields: string, table: string | undefined): string {
  return `coalesce((SELECT json_agg(json_build_object(${fields})) FROM ${table} mine WHERE mine.payment_id = payment.id), '[]')`;
}
