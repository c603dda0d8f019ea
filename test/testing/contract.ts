import {
  PaymentInputError,
  type Payment,
  type Payments,
  type ReceiptInput,
  type Refund,
} from '@holdfast/payments';
import type { RefundCourse } from '@holdfast/payments/testing';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { eventually } from '../support/eventually.js';

/** Payments, with the buyers and the service on the other side, until nothing is under way. */
export interface Subject {
  readonly payments: Payments;
  pay(payment: Payment): Promise<void>;
  decline(payment: Payment): Promise<void>;
  expire(payment: Payment): Promise<void>;
  nextRefund(course: RefundCourse): void;
  finishRefund(refund: Refund, outcome: 'succeeded' | 'canceled'): Promise<void>;
  /** As a handler does, with its manager. */
  within<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}

/** What a host's order service sees, and what it is to see. */
export interface Case {
  readonly title: string;
  see(subject: Subject, reference: string): Promise<unknown>;
  readonly seen: unknown;
}

const rub = (value: string) => ({ value, currency: 'RUB' as const });

/** Of 450.00 roubles. */
function inputOf(reference: string, fields: Partial<Parameters<Payments['create']>[0]> = {}) {
  return {
    order: { reference },
    amount: rub('450.00'),
    returnUrl: 'https://shop.example/orders',
    ...fields,
  };
}

/** The class and code of the error that it must end in; of a wrong input all that it says. */
async function failure(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof PaymentInputError) return error.message;
  return error instanceof Error && 'code' in error ? `${error.name} ${String(error.code)}` : String(error);
}

/** Likewise of each, in the order of the calls. */
const failures = (...calls: readonly Promise<unknown>[]): Promise<string[]> =>
  Promise.all(calls.map(failure));

async function statusOf({ payments }: Subject, { id }: Pick<Payment, 'id'>): Promise<string> {
  const { status, capturedAmount, refundedAmount } = await payments.get(id);
  return `${status} ${capturedAmount.value} ${refundedAmount.value}`;
}

async function orderOf({ payments }: Subject, reference: string): Promise<string> {
  const order = await payments.getOrder(reference);
  if (order === null) return 'unknown';
  const { state, totalDue, paid, held, refunded } = order;
  return `${state}: due ${totalDue.value}, paid ${paid.value}, held ${held.value}, refunded ${refunded.value}`;
}

async function bought(subject: Subject, reference: string): Promise<Payment> {
  const payment = await subject.payments.create(inputOf(reference));
  await subject.pay(payment);
  return payment;
}

async function reserved(subject: Subject, reference: string): Promise<Payment> {
  const payment = await subject.payments.create(inputOf(reference, { capture: false }));
  await subject.pay(payment);
  return payment;
}

/** The fields of a view that say nothing. */
const silent = (view: object): string[] =>
  Object.entries(view)
    .filter(([, value]) => value === null)
    .map(([name]) => name)
    .toSorted();

/** What no service says of such a payment. */
const neverSaid = [
  'deal',
  'description',
  'discount',
  'holdPolicy',
  'invoiceId',
  'merchantCustomerId',
  'method',
  'receiptStatus',
];
const ofHolds = ['holdDueAt', 'holdExpiresAt'];
const ofBuyers = ['confirmation', 'confirmationUrl'];
const ofMoney = ['capturedAt', 'incomeAmount'];
const ofPaying = ['authorization', 'paymentMethod'];

/** By the interface alone. */
export const cases: readonly Case[] = [
  // These move the time of the module: what other cases leave open would be re-read all the while.
  {
    title: 'a payment that nobody makes ends, as does a hold that nobody captures',
    async see(subject, reference) {
      const { payments } = subject;
      const authorized = await reserved(subject, `${reference}-1`);
      await subject.expire(authorized);
      const open = await payments.create(inputOf(`${reference}-2`));
      await subject.expire(open);
      const ends = [await payments.get(open.id), await payments.get(authorized.id)];
      return [
        ends.map(({ status, cancellation }) => [status, cancellation]),
        await orderOf(subject, `${reference}-1`),
      ];
    },
    seen: [
      [
        ['canceled', { party: 'service', reason: 'expired_on_confirmation' }],
        ['canceled', { party: 'service', reason: 'expired_on_capture' }],
      ],
      'unpaid: due 450.00, paid 0.00, held 0.00, refunded 0.00',
    ],
  },
  {
    title: 'a refund on its way reserves its money, and a canceled one frees it',
    async see(subject, reference) {
      const { payments } = subject;
      const { id } = await bought(subject, reference);
      subject.nextRefund({ status: 'pending' });
      const slow = await payments.refund(id, { refundKey: 'slow', amount: rub('400.00') });
      const before = await statusOf(subject, { id });
      const refused = await failure(payments.refund(id, { refundKey: 'more', amount: rub('50.01') }));
      await subject.finishRefund(slow, 'canceled');
      const [canceled] = await payments.refunds(id);
      subject.nextRefund({ status: 'pending' });
      const other = await payments.refund(id, { refundKey: 'other' });
      await subject.finishRefund(other, 'succeeded');
      return [
        [slow.status, before, refused],
        [canceled?.status, canceled?.cancellation !== null],
        [other.amount, await statusOf(subject, { id })],
      ];
    },
    seen: [
      ['pending', 'succeeded 450.00 0.00', 'RefundAmountExceededError refund_amount_exceeded'],
      ['canceled', true],
      [rub('450.00'), 'succeeded 450.00 450.00'],
    ],
  },
  {
    title: 'a refund that the service does not make comes back canceled',
    async see(subject, reference) {
      const { payments } = subject;
      const { id } = await bought(subject, reference);
      subject.nextRefund({ status: 'canceled' });
      const { status, cancellation } = await payments.refund(id, { refundKey: 'return' });
      return [status, cancellation !== null, await statusOf(subject, { id })];
    },
    seen: ['canceled', true, 'succeeded 450.00 0.00'],
  },
  {
    title: 'a create again, and two at once, are the same payment',
    async see({ payments }, reference) {
      const [first, second] = await Promise.all([
        payments.create(inputOf(reference)),
        payments.create(inputOf(reference)),
      ]);
      const third = await payments.create(inputOf(reference));
      const { status, amount, confirmation, orderReference, test } = third;
      return [
        new Set([first.id, second.id, third.id]).size,
        { status, amount, to: confirmation?.type, isUrl: third.confirmationUrl?.startsWith('http'), test },
        orderReference === reference,
        (await payments.findByOrder(reference)).length,
      ];
    },
    seen: [1, { status: 'pending', amount: rub('450.00'), to: 'redirect', isUrl: true, test: true }, true, 1],
  },
  {
    title: 'an order that nobody paid for has nothing',
    see: async ({ payments }, reference) => [
      await payments.getOrder(reference),
      await payments.currentPayment(reference),
      await payments.findByOrder(reference),
    ],
    seen: [null, null, []],
  },
  {
    title: 'an order that is paid takes no other payment',
    async see(subject, reference) {
      const { payments } = subject;
      const payment = await bought(subject, reference);
      const found = await payments.currentPayment(reference);
      return [
        await statusOf(subject, payment),
        await orderOf(subject, reference),
        found?.id === payment.id,
        found?.paymentMethod?.type,
        await failures(
          payments.create(inputOf(reference)),
          payments.create(inputOf(reference, { replace: true })),
          payments.create(inputOf(reference, { amount: rub('10.00') })),
        ),
      ];
    },
    seen: [
      'succeeded 450.00 0.00',
      'paid: due 450.00, paid 450.00, held 0.00, refunded 0.00',
      true,
      'bank_card',
      [
        'OrderAlreadyPaidError order_already_paid',
        'OrderAlreadyPaidError order_already_paid',
        'OrderAmountExceededError order_amount_exceeded',
      ],
    ],
  },
  {
    title: 'a cart that changed needs replace, and the old payment may be paid after all',
    async see(subject, reference) {
      const { payments } = subject;
      const old = await payments.create(inputOf(reference));
      const amount = rub('500.00');
      const more = { order: { reference, totalDue: rub('2000.00') }, amount };
      const refused = await failures(
        payments.create(inputOf(reference, { amount })),
        payments.create(inputOf(reference, more)),
      );
      const next = await payments.create(inputOf(reference, { amount, replace: true }));
      const before = [await payments.get(old.id), await payments.get(next.id)].map(
        ({ status, superseded }) => `${status} ${superseded}`,
      );
      const current = await payments.currentPayment(reference);
      await subject.pay(next);
      await subject.pay(old);
      const all = await payments.findByOrder(reference);
      return [
        refused,
        before,
        current?.id === next.id,
        all.map(({ id }) => id === old.id),
        await orderOf(subject, reference),
      ];
    },
    seen: [
      ['OrderAmountExceededError order_amount_exceeded', 'OrderPaymentOpenError order_payment_open'],
      ['pending true', 'pending false'],
      true,
      [true, false],
      'overpaid: due 500.00, paid 950.00, held 0.00, refunded 0.00',
    ],
  },
  {
    title: 'an order may be paid in parts, each with its name',
    async see(subject, reference) {
      const { payments } = subject;
      const order = { reference, totalDue: rub('900.00') };
      const [gift, rest] = [
        await payments.create(inputOf(reference, { order, part: 'gift' })),
        await payments.create(inputOf(reference, { order, part: 'rest' })),
      ];
      const third = await failure(payments.create(inputOf(reference, { order, part: 'third' })));
      await subject.pay(gift);
      const half = await orderOf(subject, reference);
      const current = await payments.currentPayment(reference);
      await subject.pay(rest);
      return [third, half, current?.id === rest.id, await orderOf(subject, reference)];
    },
    seen: [
      'OrderAmountExceededError order_amount_exceeded',
      'unpaid: due 900.00, paid 450.00, held 0.00, refunded 0.00',
      true,
      'paid: due 900.00, paid 900.00, held 0.00, refunded 0.00',
    ],
  },
  {
    title: 'a hold is captured in part, once',
    async see(subject, reference) {
      const { payments } = subject;
      const payment = await reserved(subject, reference);
      const { status, holdExpiresAt, holdDueAt } = await payments.get(payment.id);
      const authorized = await orderOf(subject, reference);
      const capture = (value?: string) =>
        payments.capture(payment.id, value === undefined ? {} : { amount: rub(value) });
      const wrong = await failures(
        capture('450.01'),
        capture('0.00'),
        // @ts-expect-error JavaScript may say it
        payments.capture(payment.id, { amount: { value: '10.00', currency: 'USD' } }),
        payments.create(inputOf(reference, { capture: false })),
      );
      const captured = await capture('300.00');
      const again = await capture('300.00');
      return [
        [status, holdExpiresAt !== null, holdDueAt !== null, authorized],
        wrong,
        [captured.status, captured.capturedAmount, captured.holdExpiresAt, again.status],
        await orderOf(subject, reference),
        await failures(capture(), capture('200.00'), payments.cancel(payment.id)),
      ];
    },
    seen: [
      ['waiting_for_capture', true, true, 'authorized: due 450.00, paid 0.00, held 450.00, refunded 0.00'],
      [
        'amount.value: must be at most the held amount',
        'amount.value: must be above zero; to take nothing, cancel',
        'amount.currency: must be RUB',
        'OrderAlreadyPaidError order_already_paid',
      ],
      ['succeeded', rub('300.00'), null, 'succeeded'],
      'paid: due 450.00, paid 300.00, held 0.00, refunded 0.00',
      [
        'PaymentNotHeldError payment_not_held',
        'PaymentNotHeldError payment_not_held',
        'PaymentNotHeldError payment_not_held',
      ],
    ],
  },
  {
    title: 'a part of a hold is captured, and the rest is let go or stays due',
    async see(subject, reference) {
      const { payments } = subject;
      const again = (part: string, order: string, value: string) => {
        const { amount, returnUrl } = inputOf(order, { amount: rub(value) });
        const totalDue = rub('450.00');
        return payments.create({ order: { reference: order, totalDue }, amount, returnUrl, part });
      };
      const [let_go, kept] = [`${reference}-1`, `${reference}-2`];
      const first = await reserved(subject, let_go);
      await payments.capture(first.id, { amount: rub('300.00') });
      const second = await reserved(subject, kept);
      await payments.capture(second.id, { amount: rub('300.00'), keepsDue: true });
      const before = [await orderOf(subject, let_go), await orderOf(subject, kept)];
      const otherwise = await failures(
        payments.capture(second.id, { amount: rub('300.00') }),
        payments.create(inputOf(let_go, { capture: false })),
        again('rest', let_go, '150.00'),
      );
      await subject.pay(await again('rest', kept, '150.00'));
      const waived = (await payments.getOrder(let_go))?.waived;
      await payments.refund(first.id, { refundKey: 'return' });
      return [before, otherwise, await orderOf(subject, kept), waived, await orderOf(subject, let_go)];
    },
    seen: [
      [
        'paid: due 450.00, paid 300.00, held 0.00, refunded 0.00',
        'unpaid: due 450.00, paid 300.00, held 0.00, refunded 0.00',
      ],
      [
        'PaymentNotHeldError payment_not_held',
        'OrderAlreadyPaidError order_already_paid',
        'OrderAmountExceededError order_amount_exceeded',
      ],
      'paid: due 450.00, paid 450.00, held 0.00, refunded 0.00',
      rub('150.00'),
      'refunded: due 450.00, paid 300.00, held 0.00, refunded 300.00',
    ],
  },
  {
    title: 'what is due is as the create says now, until the order was paid',
    async see(subject, reference) {
      const { payments } = subject;
      const due = (value: string) => inputOf(reference, { order: { reference, totalDue: rub(value) } });
      const { id } = await payments.create(due('900.00'));
      const again = await payments.create(due('1000.00'));
      const raised = await orderOf(subject, reference);
      await subject.pay(again);
      const half = await orderOf(subject, reference);
      // Met: nothing more is due, and what was paid pays for the order.
      const met = await failure(payments.create(inputOf(reference)));
      const now = await orderOf(subject, reference);
      const later = await failures(payments.create(due('900.00')), payments.create(inputOf(reference)));
      const wrong = await failures(
        payments.changeTotalDue(reference, rub('0.00')),
        // @ts-expect-error JavaScript may say it
        payments.changeTotalDue(reference, { value: '10.00', currency: 'USD' }),
        payments.changeTotalDue(`${reference}-unknown`, rub('900.00')),
      );
      const changed = [
        await payments.changeTotalDue(reference, rub('900.00')),
        await payments.getOrder(reference),
      ];
      const part = await payments.create({ ...due('900.00'), part: 'more' });
      await subject.pay(part);
      const paid = await orderOf(subject, reference);
      const { state } = await payments.changeTotalDue(reference, rub('450.00'));
      return [
        again.id === id,
        raised,
        half,
        met,
        now,
        later,
        wrong,
        changed.map((one) => one?.state),
        paid,
        state,
      ];
    },
    seen: [
      true,
      'unpaid: due 1000.00, paid 0.00, held 0.00, refunded 0.00',
      'unpaid: due 1000.00, paid 450.00, held 0.00, refunded 0.00',
      'OrderAlreadyPaidError order_already_paid',
      'paid: due 450.00, paid 450.00, held 0.00, refunded 0.00',
      ['OrderTotalDiffersError order_total_differs', 'OrderAlreadyPaidError order_already_paid'],
      [
        'totalDue.value: must be above zero',
        'totalDue.currency: must be RUB',
        'OrderNotFoundError order_not_found',
      ],
      ['unpaid', 'unpaid'],
      'paid: due 900.00, paid 900.00, held 0.00, refunded 0.00',
      'overpaid',
    ],
  },
  {
    title: 'a create that says other terms is another payment, and other words are the first one’s',
    async see({ payments }, reference) {
      const words = { description: 'Tea', metadata: { desk: '1' } };
      const first = await payments.create(
        inputOf(reference, { ...words, capture: false, holdPolicy: 'flag' }),
      );
      const asked = { capture: false, holdPolicy: 'flag' } as const;
      const same = await payments.create(
        inputOf(reference, { ...asked, description: 'Coffee', metadata: { desk: '2' } }),
      );
      const other = [
        { ...asked, savePaymentMethod: true },
        { capture: false, holdPolicy: 'cancel' },
        { capture: false },
        {},
      ] as const;
      const refused = [];
      for (const fields of other) refused.push(await failure(payments.create(inputOf(reference, fields))));
      const replacing = await payments.create(inputOf(reference, { ...other[0], replace: true }));
      const back = await payments.create(inputOf(reference, { ...asked, replace: true }));
      return [
        same.id === first.id,
        [same.description, same.metadata],
        refused,
        new Set([first.id, replacing.id, back.id]).size,
        replacing.holdPolicy,
      ];
    },
    seen: [
      true,
      ['Tea', { desk: '1' }],
      Array.from({ length: 4 }, () => 'OrderAmountExceededError order_amount_exceeded'),
      3,
      'flag',
    ],
  },
  {
    title: 'a hold is canceled, and the order may be paid again',
    async see(subject, reference) {
      const { payments } = subject;
      const payment = await reserved(subject, reference);
      const { status, cancellation } = await payments.cancel(payment.id);
      const again = await payments.cancel(payment.id);
      const state = await orderOf(subject, reference);
      const current = await payments.currentPayment(reference);
      const next = await payments.create(inputOf(reference));
      return [
        status,
        cancellation,
        again.status,
        state,
        current,
        next.id !== payment.id,
        await failure(payments.capture(payment.id)),
      ];
    },
    seen: [
      'canceled',
      { party: 'merchant', reason: 'canceled_by_merchant' },
      'canceled',
      'unpaid: due 450.00, paid 0.00, held 0.00, refunded 0.00',
      null,
      true,
      'PaymentNotHeldError payment_not_held',
    ],
  },
  {
    title: 'a hold that is replaced is released',
    async see(subject, reference) {
      const { payments } = subject;
      const old = await reserved(subject, reference);
      const amount = rub('600.00');
      const next = await payments.create(inputOf(reference, { amount, capture: false, replace: true }));
      // Until then its money counts.
      await eventually(
        () => statusOf(subject, old),
        (status) => status.startsWith('canceled'),
      );
      const last = await payments.create(inputOf(reference, { capture: false, replace: true }));
      await subject.pay(last);
      // Its buyer still had the page open.
      await subject.pay(next);
      return [
        await statusOf(subject, old),
        await statusOf(subject, next),
        await orderOf(subject, reference),
        await failure(payments.capture(next.id)),
      ];
    },
    seen: [
      'canceled 0.00 0.00',
      'canceled 0.00 0.00',
      'authorized: due 450.00, paid 0.00, held 450.00, refunded 0.00',
      'PaymentNotHeldError payment_not_held',
    ],
  },
  {
    title: 'a hold that is replaced is released, though what replaces it is refused',
    async see(subject, reference) {
      const { payments } = subject;
      const old = await reserved(subject, reference);
      const { order, amount } = inputOf(reference);
      const charge = { order, amount, paymentMethodId: randomUUID(), replace: true };
      const refused = await failure(payments.create(charge));
      // All that is under way ends with a payment of another order.
      await reserved(subject, `${reference}-2`);
      return [refused, await statusOf(subject, old)];
    },
    seen: ['PaymentRejectedError payment_rejected', 'canceled 0.00 0.00'],
  },
  {
    title: 'what is not held is neither captured nor canceled',
    async see({ payments }, reference) {
      const { id } = await payments.create(inputOf(reference));
      return failures(payments.capture(id), payments.cancel(id));
    },
    seen: ['PaymentNotHeldError payment_not_held', 'PaymentNotHeldError payment_not_held'],
  },
  {
    title: 'with the manager of a handler a capture, a cancel and a refund come back as it was before',
    async see(subject, reference) {
      const { payments } = subject;
      const captured = await reserved(subject, `${reference}-1`);
      const canceled = await reserved(subject, `${reference}-2`);
      const before = await subject.within(async (manager) => [
        (await payments.capture(captured.id, { manager })).status,
        (await payments.cancel(canceled.id, { manager })).status,
      ]);
      const after = [await statusOf(subject, captured), await statusOf(subject, canceled)];
      const refund = await subject.within((manager) =>
        payments.refund(captured.id, { refundKey: 'return', manager }),
      );
      return [before, after, refund.status, await statusOf(subject, captured)];
    },
    seen: [
      ['waiting_for_capture', 'waiting_for_capture'],
      ['succeeded 450.00 0.00', 'canceled 0.00 0.00'],
      'submitting',
      'succeeded 450.00 450.00',
    ],
  },
  {
    title: 'null in place of a manager is refused, and moves nothing',
    async see(subject, reference) {
      const { payments } = subject;
      const authorized = await reserved(subject, `${reference}-1`);
      const paid = await bought(subject, `${reference}-2`);
      // What a JavaScript caller may pass, whatever the types say.
      const nothing: object = { manager: null };
      const refused = await failures(
        payments.capture(authorized.id, nothing),
        payments.cancel(authorized.id, nothing),
        payments.refund(paid.id, Object.assign({ refundKey: 'return' }, nothing)),
      );
      return [
        refused.map((text) => text.slice(0, text.indexOf(':'))),
        await statusOf(subject, authorized),
        await statusOf(subject, paid),
        await payments.refunds(paid.id),
      ];
    },
    seen: [
      ['options.manager', 'options.manager', 'options.manager'],
      'waiting_for_capture 0.00 0.00',
      'succeeded 450.00 0.00',
      [],
    ],
  },
  {
    title: 'a payment is refunded in parts, once for each key',
    async see(subject, reference) {
      const { payments } = subject;
      const { id } = await bought(subject, reference);
      const part = {
        refundKey: 'part',
        amount: rub('100.00'),
        description: 'Torn',
        metadata: { size: 'XL' },
      };
      const refund = await payments.refund(id, part);
      const again = await payments.refund(id, part);
      const order = await orderOf(subject, reference);
      const wrong = await failures(
        payments.refund(id, { ...part, amount: rub('101.00') }),
        payments.refund(id, { ...part, description: 'Worn' }),
        payments.refund(id, { ...part, extra: { note: 'Worn' } }),
        payments.refund(id, { refundKey: 'more', amount: rub('350.01') }),
      );
      const rest = await payments.refund(id, { refundKey: 'rest' });
      const all = await payments.refunds(id);
      return [
        [refund.status, refund.amount, refund.description, refund.metadata, refund.refundKey],
        again.id === refund.id,
        order,
        wrong,
        rest.amount,
        await statusOf(subject, { id }),
        await orderOf(subject, reference),
        all.map((one) => [one.refundKey, one.status, one.paymentId === id]),
        await failure(payments.refund(id, { refundKey: 'last' })),
        (await payments.refund(id, { refundKey: 'rest' })).id === rest.id,
        (await payments.currentPayment(reference)) === null,
        (await payments.create(inputOf(reference))).id !== id,
      ];
    },
    seen: [
      ['succeeded', rub('100.00'), 'Torn', { size: 'XL' }, 'part'],
      true,
      'partially_refunded: due 450.00, paid 450.00, held 0.00, refunded 100.00',
      [
        'RefundKeyReusedError refund_key_reused',
        'RefundKeyReusedError refund_key_reused',
        'RefundKeyReusedError refund_key_reused',
        'RefundAmountExceededError refund_amount_exceeded',
      ],
      rub('350.00'),
      'succeeded 450.00 450.00',
      'refunded: due 450.00, paid 450.00, held 0.00, refunded 450.00',
      [
        ['part', 'succeeded', true],
        ['rest', 'succeeded', true],
      ],
      'PaymentWhollyRefundedError payment_wholly_refunded',
      true,
      true,
      true,
    ],
  },
  {
    title: 'what is not paid is not refunded',
    async see(subject, reference) {
      const { payments } = subject;
      const open = await payments.create(inputOf(`${reference}-1`));
      const authorized = await reserved(subject, `${reference}-2`);
      return failures(
        payments.refund(open.id, { refundKey: 'return' }),
        payments.refund(authorized.id, { refundKey: 'return' }),
      );
    },
    seen: [
      'PaymentNotRefundableError payment_not_refundable',
      'PaymentNotRefundableError payment_not_refundable',
    ],
  },
  {
    title: 'a payment that is declined leaves the order free',
    async see(subject, reference) {
      const { payments } = subject;
      const payment = await payments.create(inputOf(reference));
      await subject.decline(payment);
      const { status, cancellation, confirmation } = await payments.refresh(payment.id);
      const next = await payments.create(inputOf(reference));
      return [status, cancellation, confirmation, await orderOf(subject, reference), next.id === payment.id];
    },
    seen: [
      'canceled',
      { party: 'payment_network', reason: 'general_decline' },
      null,
      'unpaid: due 450.00, paid 0.00, held 0.00, refunded 0.00',
      false,
    ],
  },
  {
    title: 'a method that was saved with a payment is charged without the buyer',
    async see(subject, reference) {
      const { payments } = subject;
      const first = await payments.create(inputOf(`${reference}-1`, { savePaymentMethod: true }));
      await subject.pay(first);
      const { paymentMethod } = await payments.get(first.id);
      const charge = (part: string, paymentMethodId: string, capture = true) =>
        payments.create({
          order: { reference: `${reference}-${part}` },
          amount: rub('450.00'),
          capture,
          paymentMethodId,
        });
      const id = paymentMethod?.id ?? '';
      const charged = await charge('2', id);
      const authorized = await charge('3', id, false);
      return [
        paymentMethod?.saved,
        [charged.status, charged.confirmation, charged.paymentMethod?.id === id],
        authorized.status,
        await failures(charge('2', id), charge('4', randomUUID())),
        (await payments.findByOrder(`${reference}-4`)).map(({ status, serviceId }) => [status, serviceId]),
      ];
    },
    seen: [
      true,
      ['succeeded', null, true],
      'waiting_for_capture',
      ['OrderAlreadyPaidError order_already_paid', 'PaymentRejectedError payment_rejected'],
      [['rejected', null]],
    ],
  },
  {
    title: 'a payment that is not there is not found',
    async see({ payments }) {
      const calls = (id: string) => [
        payments.get(id),
        payments.capture(id),
        payments.cancel(id),
        payments.refund(id, { refundKey: 'return' }),
        payments.refunds(id),
        payments.timeline(id),
        payments.refresh(id),
      ];
      return [
        ...new Set(await failures(...calls(randomUUID()), ...calls('A-1042'))),
        ...new Set(await failures(...calls(''))),
      ];
    },
    seen: ['PaymentNotFoundError payment_not_found', 'paymentId: must be a string that is not empty'],
  },
  {
    title: 'a store that is not there is not found',
    async see(subject, reference) {
      const { payments } = subject;
      const { id, store } = await payments.create(inputOf(reference));
      const own = await payments.get(id, { store });
      const calls = (other: string) => [
        payments.create(inputOf(reference, { store: other })),
        payments.get(id, { store: other }),
        payments.findByOrder(reference, { store: other }),
        payments.getOrder(reference, { store: other }),
        payments.currentPayment(reference, { store: other }),
        payments.refund(id, { refundKey: 'return', store: other }),
        payments.cancel(id, { store: other }),
      ];
      return [
        own.id === id,
        new Set(await failures(...calls(randomUUID()))),
        (await failures(...calls('mine'))).map((text) => text.slice(0, 40)),
      ];
    },
    seen: [
      true,
      new Set(['StoreNotFoundError store_not_found']),
      Array.from({ length: 7 }, () => 'store: must be the id of a connected sto'),
    ],
  },
  {
    title: 'a wrong input is named',
    async see({ payments }, reference) {
      const create = (fields: Parameters<typeof inputOf>[1]) => payments.create(inputOf(reference, fields));
      const texts = await failures(
        create({ amount: rub('450') }),
        create({ amount: rub('0.00') }),
        // @ts-expect-error JavaScript may say it
        create({ amount: { value: '450.00', currency: 'USD' } }),
        create({ order: { reference: '' } }),
        create({ order: { reference, totalDue: rub('1.00') } }),
        create({ returnUrl: 'shop.example' }),
        create({ method: 'sbp' }),
        create({ holdPolicy: 'capture' }),
        create({ metadata: { holdfast_payment: 'mine' } }),
        create({ receipt: { customer: { email: 'buyer@example.com' }, items: [] } }),
        create({ paymentMethodId: randomUUID() }),
        payments.getOrder(''),
        payments.refund(randomUUID(), { refundKey: '' }),
        payments.refund(randomUUID(), { refundKey: 'return', amount: rub('ten') }),
        payments.capture(randomUUID(), { extra: { amount: rub('1.00') } }),
      );
      return [texts.map((text) => text.slice(0, text.indexOf(':'))), await payments.getOrder(reference)];
    },
    seen: [
      [
        'amount.value',
        'amount.value',
        'amount.currency',
        'order.reference',
        'order.totalDue',
        'returnUrl',
        'method',
        'holdPolicy',
        'metadata',
        'receipt.items',
        'returnUrl',
        'orderReference',
        'refundKey',
        'amount.value',
        'extra.amount',
      ],
      null,
    ],
  },
  {
    title: 'a timeline tells it in order',
    async see(subject, reference) {
      const { payments } = subject;
      const { id } = await reserved(subject, reference);
      await payments.capture(id);
      await payments.refund(id, { refundKey: 'return' });
      const entries = await payments.timeline(id);
      return entries
        .filter(({ cause }) => cause !== 'service')
        .map(({ name, from, to }) => `${name}: ${from} to ${to}`);
    },
    seen: [
      'payment.submitting: null to submitting',
      'payment.pending: submitting to pending',
      'payment.waiting_for_capture: pending to waiting_for_capture',
      'payment.succeeded: waiting_for_capture to succeeded',
      'order.paid: null to null',
      'refund.submitting: null to submitting',
      'refund.succeeded: submitting to succeeded',
      'order.refunded: null to null',
    ],
  },
  {
    title: 'a view says as much in each status',
    async see(subject, reference) {
      const { payments } = subject;
      const pending = await payments.create(inputOf(`${reference}-1`));
      const authorized = await reserved(subject, `${reference}-2`);
      const succeeded = await bought(subject, `${reference}-3`);
      const canceled = await payments.create(inputOf(`${reference}-4`));
      await subject.decline(canceled);
      const views = [];
      for (const { id } of [pending, authorized, succeeded, canceled]) views.push(await payments.get(id));
      const refund = await payments.refund(succeeded.id, { refundKey: 'return' });
      return [
        views.map(silent),
        views.map(({ refundable }) => refundable),
        silent(refund),
        new Set([...views].map((view) => Object.keys(view).toSorted().join(' '))).size,
      ];
    },
    seen: [
      [
        [...neverSaid, ...ofHolds, ...ofMoney, ...ofPaying, 'cancellation'],
        [...neverSaid, ...ofBuyers, ...ofMoney, 'cancellation'],
        [...neverSaid, ...ofBuyers, ...ofHolds, 'cancellation'],
        [...neverSaid, ...ofBuyers, ...ofHolds, ...ofMoney, ...ofPaying],
      ].map((names) => names.toSorted()),
      [false, false, true, false],
      ['cancellation', 'deal', 'description', 'method', 'receiptStatus'],
      1,
    ],
  },
];

const goods = (value: string, description = 'Tea'): ReceiptInput => ({
  customer: { email: 'buyer@example.com' },
  items: [{ description, amount: rub(value), quantity: 1, vatCode: 1 }],
});

/** With receipts by the public service. */
export const casesWithReceipts: readonly Case[] = [
  {
    title: 'a receipt is needed, and adds up',
    see: async ({ payments }, reference) => {
      const texts = await failures(
        payments.create(inputOf(reference)),
        payments.create(inputOf(reference, { receipt: goods('400.00') })),
      );
      return texts.map((text) => text.slice(0, text.indexOf(':')));
    },
    seen: ['receipt', 'receipt.items'],
  },
  {
    title: 'other goods are another payment',
    async see({ payments }, reference) {
      const create = (description: string) =>
        payments.create(inputOf(reference, { receipt: goods('450.00', description) }));
      const tea = await create('Tea');
      const refused = await failure(create('Coffee'));
      return [(await create('Tea')).id === tea.id, refused];
    },
    seen: [true, 'OrderAmountExceededError order_amount_exceeded'],
  },
  {
    title: 'a part of a hold or a payment needs its receipt, and the whole has one',
    async see(subject, reference) {
      const { payments } = subject;
      const given = { receipt: goods('450.00') };
      const authorized = await payments.create(inputOf(`${reference}-1`, { ...given, capture: false }));
      await subject.pay(authorized);
      const { id } = await payments.create(inputOf(`${reference}-2`, given));
      await subject.pay(await payments.get(id));
      const part = rub('100.00');
      const refused = await failures(
        payments.capture(authorized.id, { amount: part }),
        payments.refund(id, { refundKey: 'part', amount: part }),
        payments.refund(id, { refundKey: 'whole', receipt: goods('450.00') }),
      );
      await payments.capture(authorized.id, { amount: part, receipt: goods('100.00') });
      await payments.refund(id, { refundKey: 'part', amount: part, receipt: goods('100.00') });
      const rest = { refundKey: 'rest', amount: rub('350.00'), receipt: goods('350.00') };
      await payments.refund(id, rest);
      return [
        refused.map((text) => text.slice(0, text.indexOf(':'))),
        await statusOf(subject, authorized),
        await statusOf(subject, { id }),
        await failure(payments.refund(id, { ...rest, receipt: goods('350.00', 'Coffee') })),
      ];
    },
    seen: [
      ['receipt', 'receipt', 'receipt'],
      'succeeded 100.00 0.00',
      'succeeded 450.00 450.00',
      'RefundKeyReusedError refund_key_reused',
    ],
  },
  {
    title: 'a QR code is drawn for SBP, which holds no money',
    async see(subject, reference) {
      const { payments } = subject;
      const given = {
        order: { reference },
        amount: rub('450.00'),
        method: 'sbp',
        receipt: goods('450.00'),
      } as const;
      const confirmation = { type: 'qr' } as const;
      const payment = await payments.create({ ...given, confirmation });
      const refused = await failure(payments.create({ ...given, confirmation, capture: false }));
      await subject.pay(payment);
      const { paymentMethod, method } = await payments.get(payment.id);
      return [
        [payment.confirmation?.type, payment.confirmationUrl],
        refused.slice(0, refused.indexOf(':')),
        [method, paymentMethod?.type, paymentMethod?.card],
      ];
    },
    seen: [['qr', null], 'capture', ['sbp', 'sbp', null]],
  },
];
