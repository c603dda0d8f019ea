import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { settledBy, type ServiceReceipt } from '../../api/service-receipt.js';
import { isRecord } from '../../common/is-record.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { HeldPayments } from '../../operations/held-payments.js';
import { endOperation, foundOperation } from '../../operations/new-operation.js';
import { foundReceiptBody } from '../../operations/request-body.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { withRow, type Draft } from '../../payment/draft.js';
import type { LockedPayment } from '../../payment/locks.js';
import {
  closeProblem,
  receiptRow,
  seeReceipt,
  submitReceipt,
} from '../../payment/receipts/receipt-change.js';
import type { State } from '../../payment/state.js';
import { bodyOf } from '../../receipts/owed-body.js';
import type { ReceiptRow } from '../../schema/rows.js';
import { forgottenReceipts, type ForgottenReceipt } from './forgotten-receipts.js';
import { settleReceipts } from './settle-owed.js';

const cause = 'recovery';

type KnownReceipt = ReceiptRow & { readonly unsentTypes: readonly string[] | null };

/**
 * Records again what the database has forgotten of a payment's own receipts, as the service has them, and does what is owed by then.
 */
@Injectable()
export class ReceiptAdoption {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly held: HeldPayments,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** `listed`: all that the service has of the locked payment, oldest first. */
  async adopt(
    manager: EntityManager,
    locked: LockedPayment,
    listed: readonly ServiceReceipt[],
  ): Promise<void> {
    const { payment } = locked;
    const { count } = await this.held.change(manager, locked, cause, (before) => {
      const forgotten = forgottenReceipts(payment, before.refunds, knownReceipts(before), listed);
      const draft = forgotten.reduce(withForgotten, before);
      const isNew = forgotten.length > 0;
      return {
        count: forgotten.length,
        draft: isNew ? settleReceipts(draft, cause, this.options) : before,
      };
    });
    if (count === 0) return;
    this.#logger.warn(
      `The database had forgotten ${count} receipts of payment ${payment.id}: they are recorded again.`,
      { paymentId: payment.id, storeId: payment.storeId },
    );
  }
}

function knownReceipts({ receipts, operations }: State): KnownReceipt[] {
  const unsent = operations.filter(
    ({ firstSentAt, settledAt }) => firstSentAt === null && settledAt === null,
  );
  const bodies = new Map(unsent.map(({ receiptId, body }) => [receiptId, body]));
  return receipts.map((receipt) => {
    const body = receipt.status === 'owed' ? receipt.body : (bodies.get(receipt.id) ?? null);
    return { ...receipt, unsentTypes: body === null ? null : typesIn(body) };
  });
}

function withForgotten(
  draft: Draft,
  { object, isSentAgain, row, ...said }: ForgottenReceipt<KnownReceipt>,
  place: number,
): Draft {
  const { payment, now } = draft;
  const receipt = row ?? receiptRow(draft, { ...said, status: 'submitting' }, place);
  const opened = row ? draft : { ...draft, receipts: withRow(draft.receipts, receipt) };
  const whose = { receiptId: receipt.id, refundId: said.refundId };
  const known = withOperation(opened, receipt, object, said.type, row, { payment, now });
  const submitted = known.receipts.find(({ id }) => id === receipt.id) ?? receipt;
  const seen = seeReceipt(known, submitted, object, { isLate: false, cause });
  return isSentAgain ? closeProblem(seen, whose, cause) : seen;
}

/** With the request that made it: the one that was recorded, or one that says what the service has. */
function withOperation(
  draft: Draft,
  receipt: ReceiptRow,
  object: ServiceReceipt,
  type: ReceiptRow['type'],
  row: KnownReceipt | null,
  { payment, now }: Pick<Draft, 'payment' | 'now'>,
): Draft {
  const { id: receiptId } = receipt;
  const open = draft.operations.find((one) => one.receiptId === receiptId && one.settledAt === null);
  if (row?.status === 'submitting') return open ? endOperation(draft, open, 'confirmed') : draft;
  const subject =
    object.refundId === null ? { payment_id: payment.serviceId ?? '' } : { refund_id: object.refundId };
  const request = row?.body
    ? { body: JSON.stringify(bodyOf(row.body, type, subject)), personal: row.personal }
    : foundReceiptBody(object, subject);
  const submitted = row === null ? draft : submitReceipt(draft, receipt);
  const operation = foundOperation(payment, { kind: 'receipt', receiptId, request }, now);
  return { ...submitted, operations: withRow(submitted.operations, operation) };
}

function typesIn(body: string): readonly string[] {
  const said: unknown = JSON.parse(body);
  return settledBy(isRecord(said) ? said['settlements'] : null).settlementTypes;
}
