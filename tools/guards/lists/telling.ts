import { guardsOf } from '../guard.js';

/** Events and their handlers. */
export const telling = [
  ...guardsOf('payment/record-event.ts', [
    {
      id: 'event-retired',
      guarantee: 'G10',
      keeps: 'a handler that is being retired gets no delivery that nobody would make',
      text: '       FOR KEY SHARE OF handler',
      broken: '',
      spec: 'test/payments/operator.spec.ts',
      test: 'leaves it no delivery of an event that is being recorded meanwhile',
    },
    {
      id: 'event-sequence',
      guarantee: 'G10',
      keeps: 'the events of one payment are one sequence',
      text: "COALESCE(event.payment_id::text, event.subject_type || ' ' || event.subject_id)",
      broken: 'event.id::text',
      spec: 'test/payments/handlers.spec.ts',
      test: 'sees the events of one payment in their order',
    },
  ]),
  ...guardsOf('handlers/delivery-transaction.ts', [
    {
      id: 'delivery-transaction',
      guarantee: 'G10',
      keeps: 'a delivery is done only together with the handler’s writes',
      text: ' AND pg_current_xact_id()::text = $3',
      broken: ' AND $3::text IS NOT NULL',
      spec: 'test/payments/handlers.spec.ts',
      test: 'is not done, and its error says what to do instead',
    },
    {
      id: 'delivery-now',
      guarantee: 'G10',
      keeps: 'a handler sees the payment as it is now',
      text: "const isChanged = claimed !== null && row['payment_version'] !== paymentVersion;",
      broken: "const isChanged = claimed !== null && row['payment_version'] === '';",
      spec: 'test/payments/deliveries.spec.ts',
      test: 'show the payment as it is when they are made',
    },
  ]),
  ...guardsOf('handlers/delivery-claims.ts', [
    {
      id: 'delivery-give-back-its',
      guarantee: 'G10',
      keeps: 'a worker that was overtaken returns nothing of what another has',
      text: '\n           AND mine.is_its`,',
      broken: '`,',
      spec: 'test/payments/deliveries.spec.ts',
      test: 'that were taken over are neither run nor returned by their previous worker',
    },
  ]),
  ...guardsOf('handlers/deliverer.ts', [
    {
      id: 'handler-parked',
      guarantee: 'G10',
      keeps: 'a handler that fails each time is parked for a person',
      text: "parked_at = ${parked ? this.database.now : 'NULL'}",
      broken: 'parked_at = NULL',
      spec: 'test/payments/handlers.spec.ts',
      test: 'that fails every time is parked after the configured attempts',
    },
  ]),
  ...guardsOf('apply/receipts/prepayments.ts', [
    {
      id: 'unsettled-once',
      guarantee: 'G10',
      keeps: 'a prepayment that is not settled is told once',
      text: '...(isTold && { unsettledDueAt: null })',
      broken: '',
      spec: 'test/payments/unsettled.spec.ts',
      test: 'once, when the term is over',
    },
    {
      id: 'unsettled-rest',
      guarantee: 'G10',
      keeps: 'a settlement that is on its way is waited for',
      text: 'const isTold = isAtRest && dueAt',
      broken: 'const isTold = isAtRest !== undefined && dueAt',
      spec: 'test/payments/unsettled.spec.ts',
      test: 'while its settlement is on its way',
    },
  ]),
  ...guardsOf('apply/decide-unlocked.ts', [
    {
      id: 'unsettled-due',
      guarantee: 'G10',
      keeps: 'what is due to be told is told by the re-read that finds it so',
      text: 'payment.unsettledDueAt].some',
      broken: '].some',
      spec: 'test/payments/unsettled.spec.ts',
      test: 'once, when the term is over',
    },
    {
      id: 'unsettled-part',
      guarantee: 'G10',
      keeps: 'what a captured part leaves to settle is read from its receipt',
      text: 'const isPart = object.amountMinor !== payment.amountMinor;',
      broken: 'const isPart = object.amountMinor < 0;',
      spec: 'test/payments/unsettled.spec.ts',
      test: 'by what a captured part says of it',
    },
  ]),
  ...guardsOf('apply/poll-plan.ts', [
    {
      id: 'unsettled-place',
      guarantee: 'G10',
      keeps: 'a payment with something to settle stays in the queue until its host is told',
      text: 'if (delayMs === null) return toldAt;',
      broken: 'if (delayMs === null) return null;',
      spec: 'test/payments/unsettled.spec.ts',
      test: 'once, when the term is over',
    },
  ]),
  ...guardsOf('operations/receipts/recorded-prepayment.ts', [
    {
      id: 'unsettled-registered',
      guarantee: 'G10',
      keeps: 'a settlement counts once it is registered, or made by hand',
      text: 'isRegistered && refundId === null',
      broken: 'refundId === null',
      spec: 'test/payments/unsettled.spec.ts',
      test: 'where its settlement failed, until that was made by hand',
    },
  ]),
];
