import {
  PaymentInputError,
  PaymentsOperator,
  PaymentsService,
  ReceiptNotPossibleError,
  type Amount,
  type OwnReceiptInput,
  type ReceiptInput,
  type ReceiptProblem,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';

/** As often as a receipt is sent before somebody makes it by hand. */
const MOST_ATTEMPTS = 3;

/** The person who takes care of receipts. Whatever was done by half is done again. */
@Injectable()
export class ReceiptKeeper {
  constructor(
    private readonly payments: PaymentsService,
    private readonly operator: PaymentsOperator,
  ) {}

  /** Of all that failed or is missing. What is only late comes by itself. */
  async takeCare(): Promise<void> {
    for (const problem of await this.operator.receiptProblems())
      // The next round takes what fails here; what never works is unsettled in the end.
      if (problem.kind !== 'late') await this.#solve(problem).catch(() => undefined);
  }

  /** What is late too: the registers were asked. */
  async closeAll(): Promise<void> {
    for (;;) {
      const problems = await this.operator.receiptProblems();
      if (problems.length === 0) return;
      for (const { id } of problems) await this.#resolve(id, 'made in the register');
    }
  }

  async #solve(problem: ReceiptProblem): Promise<void> {
    const { id, remedy } = problem;
    if (remedy === 'send_it') {
      const { paymentId, refundId, store } = problem;
      const receipt = await (refundId === null ? this.#ofPayment(problem) : this.#ofRefund(problem));
      // Once that is registered, the problem is closed by itself.
      await this.payments.receipts.create(paymentId, { ...receipt, store });
      // But for a return of the payment itself.
      if (refundId === null && receipt.type === 'refund') await this.#resolve(id, 'sent');
    } else if (remedy !== 'send_again' || !isWorthSending(problem) || !(await this.#sendAgain(id))) {
      await this.#resolve(id, 'made in the register');
    }
  }

  /** False if the service would not take it any more, as income of a hold that was canceled meanwhile. */
  async #sendAgain(id: string): Promise<boolean> {
    try {
      await this.operator.sendReceiptAgain(id, { by: 'soak', note: 'the register works again' });
      return true;
    } catch (error) {
      // Or the database has forgotten who gets it.
      if (error instanceof ReceiptNotPossibleError || error instanceof PaymentInputError) return false;
      throw error;
    }
  }

  /** Of money of which the database has forgotten what its receipt says; or its return, where the hold was let go. */
  async #ofPayment({ paymentId, store }: ReceiptProblem): Promise<OwnReceiptInput> {
    const { status, amount, capturedAmount } = await this.payments.get(paymentId, { store });
    const isPaid = status === 'succeeded';
    return {
      receiptKey: `found-${paymentId}`,
      type: isPaid ? 'payment' : 'refund',
      receipt: goodsFor(isPaid ? capturedAmount : amount),
    };
  }

  /** Of a refund that somebody made in the Merchant Profile, or that is forgotten likewise. */
  async #ofRefund({ paymentId, refundId, store }: ReceiptProblem): Promise<OwnReceiptInput> {
    const refunds = await this.payments.refunds(paymentId, { store });
    const refund = refunds.find(({ id }) => id === refundId);
    if (!refund) throw new Error(`Payment ${paymentId} has no refund ${refundId}.`);
    return {
      receiptKey: `found-${refund.id}`,
      type: 'refund',
      refundId: refund.id,
      receipt: goodsFor(refund.amount),
    };
  }

  async #resolve(id: string, note: string): Promise<void> {
    await this.operator.resolveReceipt(id, { by: 'soak', note });
  }
}

/** All that is known of them is what was paid. */
function goodsFor(amount: Amount): ReceiptInput {
  const item = { description: 'Goods', amount, quantity: 1, vatCode: 11, measure: 'piece' } as const;
  return {
    customer: { email: 'found@shop.example' },
    items: [{ ...item, paymentSubject: 'commodity', paymentMode: 'full_payment' }],
  };
}

/** A quarter is made by hand at once. */
function isWorthSending({ id, receiptKey }: ReceiptProblem): boolean {
  const attempt = Number(receiptKey?.split('~')[1] ?? '1');
  return attempt < MOST_ATTEMPTS && !/[0-3]$/.test(id);
}
