import { Inject, Injectable } from '@nestjs/common';
import { raiseAnomaly } from '../apply/anomaly.js';
import { readFacts } from '../apply/fact-reader.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Written } from '../payment/change.js';
import type { Draft } from '../payment/draft.js';
import { Ledger } from '../payment/ledger.js';
import { withPayment, type LockedPayment } from '../payment/locks.js';
import { withFields } from '../schema/ledger-fields.js';
import { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { receiptView, type Receipt } from '../views/receipt.view.js';
import { refundView, type Refund } from '../views/refund.view.js';
import type { WorkKind } from '../work/work-signal.js';
import { answerChange, refundAnswerChange } from './answer-change.js';
import type { AttemptResult } from './attempt.js';
import {
  decideAnswer,
  leaveUnsent,
  receiptOf,
  refundOf,
  type AnswerEnd,
  type OperationAnswer,
} from './decide-answer.js';

/** What became of an operation, with what is known of it without another look. */
export type Answered =
  | Exclude<AnswerEnd, { kind: 'settled' }>
  | (Extract<AnswerEnd, { kind: 'settled' }> & {
      /** As it is now; for a refund the refund, for a receipt of its own the receipt. */
      readonly payment?: Payment;
      readonly refund?: Refund;
      readonly receipt?: Receipt;
      /** What there may be to do now. */
      readonly wakes?: readonly WorkKind[];
    });

/** After a change whose effects were not looked at one by one. */
const MAY_BE_ANY = ['payments', 'deliveries'] as const;

/** Writes what the attempts to send operations came to. */
@Injectable()
export class Answers {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly held: HeldPayments,
    private readonly stores: StoreRegistry,
    private readonly seal: ConfirmationSeal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** With what its buyer is to be shown as it is stored. */
  async sealed(
    payment: SendClaim['payment'],
    result: AttemptResult<OperationAnswer>,
  ): Promise<AttemptResult<OperationAnswer>> {
    if (result.kind !== 'answered' || result.answer.of !== 'payment') return result;
    const object = await this.seal.sealed(payment, result.answer.object);
    return { ...result, answer: { of: 'payment', object } };
  }

  /** Without a lock, on what was recorded; null: something came in between, or it is not only about that. */
  async offer(claim: SendClaim, answer: OperationAnswer): Promise<Answered | null> {
    const { payment, asRecorded } = claim;
    if (asRecorded === undefined || answer.of === 'receipt') return null;
    if (answer.of === 'refund') {
      const decided = refundAnswerChange(claim, answer.object, this.options);
      const written = decided && (await this.ledger.offer(decided.change));
      return written && settledBy(written, { refund: refundView(decided.refund) });
    }
    const { object } = answer;
    const change = answerChange(claim, object, this.stores.isTest(asRecorded.store), this.options);
    const written = change && (await this.ledger.offer(change));
    if (!written) return null;
    const now = withFields(payment, { ...change.after, updatedAt: written.updatedAt ?? payment.updatedAt });
    return settledBy(written, { payment: paymentView(now, asRecorded.order, object.confirmation) });
  }

  /** Under the locks. */
  settle(
    claim: SendClaim,
    result: AttemptResult<OperationAnswer>,
    sentBy: 'caller' | 'sweep',
  ): Promise<Answered> {
    const { id, kind } = claim.operation;
    return withPayment(this.database, claim.payment, async (manager, locked) => {
      const answer = result.kind === 'answered' ? result.answer : null;
      const facts =
        answer?.of === 'payment'
          ? await readFacts(this.database, this.stores, this.options, manager, locked, answer.object)
          : null;
      const { end, draft } = await this.held.change(manager, locked, kind, (before) =>
        decideAnswer(before, { id, attempts: claim.attempts }, result, { ...this.options, sentBy, facts }),
      );
      if (end.kind !== 'settled' || end.outcome !== 'confirmed' || answer === null)
        return end.kind === 'settled' && end.error !== null ? { ...end, wakes: MAY_BE_ANY } : end;
      return { ...end, ...shown(draft, locked, answer, claim.operation), wakes: MAY_BE_ANY };
    });
  }

  /** What a person has to look at, where nothing was sent. */
  async raise(
    payment: SendClaim['payment'],
    cause: SendClaim['operation']['kind'],
    reason: string,
  ): Promise<void> {
    await this.held.changeAlone(payment, cause, (before) => ({
      draft: raiseAnomaly(before, reason, { cause }),
    }));
  }

  /** Of an attempt by which nothing was sent: see {@link leaveUnsent}. */
  async unsent(
    claim: SendClaim,
    look: { readonly isOwn: false | null; readonly error: Error },
    misfit: string,
  ): Promise<'busy' | 'left'> {
    const { attempts, operation, earlierUnknown: wasSent } = claim;
    const attempt = { id: operation.id, attempts };
    const { isBusy } = await this.held.changeAlone(claim.payment, operation.kind, (before) =>
      leaveUnsent(before, attempt, { ...look, wasSent, misfit }, this.options),
    );
    return isBusy ? 'busy' : 'left';
  }
}

function shown(
  draft: Draft,
  { payment, order }: LockedPayment,
  answer: OperationAnswer,
  { refundId, receiptId }: SendClaim['operation'],
): { payment: Payment } | { refund: Refund } | { receipt: Receipt } {
  if (answer.of === 'payment') return { payment: paymentView(payment, order, answer.object.confirmation) };
  if (answer.of === 'refund') return { refund: refundView(refundOf(draft, refundId ?? '')) };
  return { receipt: receiptView(receiptOf(draft, receiptId)) };
}

/** Settled by its answer alone. */
function settledBy(
  { isReady, isAnnounced }: Written,
  now: { readonly payment: Payment } | { readonly refund: Refund },
): Answered {
  const wakes = [
    ...(isReady ? (['payments'] as const) : []),
    ...(isAnnounced ? (['deliveries'] as const) : []),
  ];
  return { kind: 'settled', outcome: 'confirmed', error: null, ...now, wakes };
}
