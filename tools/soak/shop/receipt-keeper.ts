import {
  PaymentsOperator,
  PaymentsService,
  ReceiptNotPossibleError,
  type OwnReceiptInput,
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
      const { paymentId, store } = problem;
      // Once that is registered, the problem is closed by itself.
      await this.payments.receipts.create(paymentId, { ...(await this.#ofRefund(problem)), store });
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
      if (error instanceof ReceiptNotPossibleError) return false;
      throw error;
    }
  }

  /** Of a refund that somebody made in the Merchant Profile: no other money is moved there. */
  async #ofRefund({ paymentId, refundId, store }: ReceiptProblem): Promise<OwnReceiptInput> {
    const refunds = await this.payments.refunds(paymentId, { store });
    const refund = refunds.find(({ id }) => id === refundId);
    if (!refund) throw new Error(`The receipt of payment ${paymentId} itself is missing.`);
    const { amount } = refund;
    const item = { description: 'Goods', amount, quantity: 1, vatCode: 11 } as const;
    return {
      receiptKey: `found-${refund.id}`,
      type: 'refund',
      refundId: refund.id,
      receipt: {
        customer: { email: 'found@shop.example' },
        items: [{ ...item, measure: 'piece', paymentSubject: 'commodity', paymentMode: 'full_payment' }],
      },
    };
  }

  async #resolve(id: string, note: string): Promise<void> {
    await this.operator.resolveReceipt(id, { by: 'soak', note });
  }
}

/** A quarter is made by hand at once. */
function isWorthSending({ id, receiptKey }: ReceiptProblem): boolean {
  const attempt = Number(receiptKey?.split('~')[1] ?? '1');
  return attempt < MOST_ATTEMPTS && !/[0-3]$/.test(id);
}
