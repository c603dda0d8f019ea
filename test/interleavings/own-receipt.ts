import {
  OperationRefusedError,
  ReceiptNotPossibleError,
  yookassaProfile,
  type OwnReceiptInput,
  type Payment,
} from '@holdfast/payments';
import { reread } from '../support/payments-host.js';
import { customer, rub } from '../support/receipts.js';
import { failures, heldPayment } from './acts.js';
import { faultsOf } from './books.js';
import { sweep, type Scenario, type Setup, type Stage } from './stage.js';

/** Longer than a register takes and the first polls wait. */
const REGISTRATION_MS = 10 * 60_000;

/** A shop that sends each receipt by itself. */
const afterPayment: Setup = {
  service: { profile: 'yookassa', receipts: { scenario: 'after_payment', provider: 'atol' } },
  hosts: { profile: yookassaProfile },
};

const income: OwnReceiptInput = {
  receiptKey: 'income',
  type: 'payment',
  receipt: {
    customer,
    items: [{ description: 'Cup', amount: rub('100.00'), quantity: 1, vatCode: 11 }],
  },
};

/** The shop sends the receipt of a hold while somebody captures the hold or lets it go, and others look. */
export function ownReceipt(kind: 'capture' | 'cancel'): Scenario {
  return {
    name: `a receipt by itself, and a ${kind}`,
    setup: afterPayment,
    async begin(stage) {
      const payment = await heldPayment(stage);
      return {
        readsAtOnce: true,
        work: {
          a: sweep,
          c: ({ host }) => host.payments[kind](payment.id),
          i: ({ host }) => host.payments.receipts.create(payment.id, income),
          r: ({ host }) => reread(host, payment.id),
        },
        async faults({ ends }) {
          const { i: sent, ...others } = ends;
          const isRefused =
            kind === 'cancel' &&
            sent !== null &&
            sent !== undefined &&
            'error' in sent &&
            isTooLate(sent.error);
          const before = await receiptFaults(stage, payment, { count: isRefused ? 0 : 1 });
          await stage.bench.sandbox.clock.advance(REGISTRATION_MS);
          await stage.sweepAll();
          return [
            ...failures(isRefused ? others : ends),
            ...before,
            ...(await receiptFaults(stage, payment, { count: isRefused ? 0 : 1, areFinal: true })),
            ...(await faultsOf(stage, payment)),
          ];
        },
      };
    },
  };
}

/** No income is registered of what was let go. */
function isTooLate(error: unknown): boolean {
  return error instanceof ReceiptNotPossibleError || error instanceof OperationRefusedError;
}

interface Known {
  readonly serviceId: string | null;
  readonly status: string;
  readonly queued: boolean;
}

/** How many receipts the service has of the payment, and whether what is not final here is followed. */
async function receiptFaults(
  { bench: { sandbox }, observer }: Stage,
  { id, serviceId }: Payment,
  { count, areFinal = false }: { readonly count: 0 | 1; readonly areFinal?: boolean },
): Promise<string[]> {
  const atService = sandbox.receipts.list().filter((receipt) => receipt.payment_id === serviceId);
  const { rows } = await observer.query<Known>(
    `SELECT service_id AS "serviceId", status, EXISTS (SELECT FROM payments_due due WHERE due.payment_id = receipt.payment_id) AS queued
     FROM payments_receipts receipt WHERE payment_id = $1`,
    [id],
  );
  const known = rows.flatMap(({ serviceId: own }) => own ?? []);
  const open = rows.filter(({ status }) => status === 'submitting' || status === 'pending');
  return [
    ...(atService.length === count ? [] : [`the service has ${atService.length} receipts, not ${count}`]),
    ...(known.join() === atService.map((receipt) => receipt.id).join()
      ? []
      : [`known here: ${known.join()}`]),
    ...open
      .filter(({ queued }) => areFinal || !queued)
      .map(({ status }) => `its receipt is ${status}${areFinal ? ' still' : ', and nobody follows it'}`),
  ];
}
