import {
  ACCOUNT_ID,
  draftWith,
  earlier,
  heldRow,
  later,
  NOW,
  objectOf,
  paidRow,
  PAYMENT_ID,
  paymentRow,
  SERVICE_ID,
  TERMS,
} from '../../../../test/support/state.js';
import { paymentMark } from '../payment/payment-mark.js';
import type { PaymentRow } from '../schema/rows.js';
import { decidePayment } from './decide.js';

const decided = { cause: 'sweep', evidence: { attempt: 1 } } as const;
const decide = (
  payment: PaymentRow,
  object: Parameters<typeof objectOf>[0] = {},
  known: Partial<Parameters<typeof decidePayment>[2]> = {},
  terms: Parameters<typeof decidePayment>[4] = TERMS,
) =>
  decidePayment(
    draftWith(payment),
    objectOf(object),
    { accountId: ACCOUNT_ID, isTest: false, askedMinor: null, ...known },
    decided,
    terms,
  );

describe('what an object means for the payment itself', () => {
  it('is told as a move, with what the service said', () => {
    const { draft, verdict } = decide(paymentRow(), { status: 'succeeded' });
    expect(verdict).toEqual({ kind: 'move', to: 'succeeded' });
    expect(draft.events).toEqual([
      {
        storeId: draft.payment.storeId,
        subject: { type: 'payment', id: PAYMENT_ID },
        paymentId: PAYMENT_ID,
        name: 'payment.succeeded',
        from: 'pending',
        to: 'succeeded',
        cause: 'sweep',
        evidence: { serviceStatus: 'succeeded', serviceId: SERVICE_ID, attempt: 1 },
      },
    ]);
  });

  it('is taken over where its status stays, and told to nobody', () => {
    const { draft, verdict } = decide(paymentRow(), { cardLast4: '4242', kept: { id: 'kept' } });
    expect(verdict).toEqual({ kind: 'unchanged' });
    expect(draft.payment).toMatchObject({ status: 'pending', cardLast4: '4242', object: { id: 'kept' } });
    expect(draft.payment.updatedAt).toEqual(paymentRow().updatedAt);
    expect(draft.events).toEqual([]);
  });

  it('is nothing where the object is older than what is known', () => {
    const { draft, verdict } = decide(paidRow(), { cardLast4: '4242' });
    expect(verdict).toEqual({ kind: 'stale', status: 'pending' });
    expect(draft).toEqual(draftWith(paidRow()));
  });

  it.each([
    ['its row, whatever is known of its store', true, false],
    ['its store where its row does not say so', null, true],
  ])('is compared with %s: whether it is a test', (_what, test, isTest) => {
    expect(decide(paymentRow({ test }), { test: true }, { isTest }).verdict).toEqual({ kind: 'unchanged' });
    expect(decide(paymentRow({ test }), { test: false }, { isTest }).verdict).toMatchObject({
      kind: 'anomaly',
      reason: 'test false instead of true',
    });
  });

  it('is no test or one where nothing is known of that yet', () => {
    expect(decide(paymentRow({ test: null }), { test: true }, { isTest: null }).verdict).toEqual({
      kind: 'unchanged',
    });
  });

  it('is a contradiction of what was taken, not of the sum, where a part was captured', () => {
    const { verdict } = decide(paidRow({ capture: false, capturedMinor: 6_000 }), { status: 'canceled' });
    expect(verdict).toEqual({ kind: 'anomaly', reason: 'final status succeeded contradicted by canceled' });
  });

  it('is compared with the store that the payment is of', () => {
    expect(decide(paymentRow(), { accountId: 'other' }).verdict).toMatchObject({
      reason: `store other instead of ${ACCOUNT_ID}`,
    });
  });
});

describe('what is still due of a payment of which a part is captured', () => {
  it.each([
    ['our own capture took it', true, 6_000, true],
    ['another capture took it', true, null, false],
    ['nothing was to stay due', false, 6_000, false],
  ])('depends: %s', (_how, keepsDue, askedMinor, after) => {
    const object = { status: 'succeeded', amountMinor: 6_000 };
    expect(decide(heldRow({ keepsDue }), object, { askedMinor }).draft.payment).toMatchObject({
      keepsDue: after,
    });
  });

  it.each([true, false])('is as it was where nothing is captured: %s', (keepsDue) => {
    expect(decide(heldRow({ keepsDue }), { status: 'canceled' }).draft.payment).toMatchObject({
      status: 'canceled',
      keepsDue,
    });
  });
});

describe('a hold that ran out', () => {
  const cancellation = { party: 'yoo_money', reason: 'expired_on_capture' };
  const evidenceOf = (payment: PaymentRow, object: object) =>
    decide(payment, { status: 'canceled', cancellation, ...object }).draft.events.at(-1)?.evidence;

  it('is told to a person after its end', () => {
    const { draft } = decide(heldRow(), { status: 'canceled', cancellation });
    expect(draft.events).toMatchObject([
      { name: 'payment.canceled' },
      {
        subject: { type: 'payment', id: PAYMENT_ID },
        name: 'hold.expired',
        cause: 'sweep',
        alarm: `The hold of payment ${PAYMENT_ID} of order "order-1" ran out: nothing was captured.`,
      },
    ]);
  });

  it('ended when the service says, or when it was known to end', () => {
    const holdExpiresAt = earlier(5);
    expect(evidenceOf(heldRow({ holdExpiresAt }), { expiresAt: earlier(9) })).toEqual({
      expiresAt: earlier(9),
      timeLeftMs: 0,
      cancellation,
    });
    expect(evidenceOf(heldRow({ holdExpiresAt }), {})).toMatchObject({ expiresAt: holdExpiresAt });
  });

  it('is none that was canceled before', () => {
    const { draft } = decide(heldRow({ holdExpiresAt: later(5) }), { status: 'canceled' });
    expect(draft.events).toMatchObject([{ name: 'payment.canceled' }]);
  });
});

describe('an object that says by its mark which payment it is', () => {
  const { metadataKey } = TERMS.profile;
  const mark = paymentMark(paymentRow().storeId, {
    tryNumber: 2,
    amountMinor: 10_000,
    capture: true,
    cardData: false,
    savePaymentMethod: false,
    receiptsAfter: false,
    method: null,
    paymentMethodId: null,
    receiptDigest: null,
    prepaidMinor: 0,
    holdPolicy: null,
    part: '',
    orderReference: 'A-1',
    totalDueMinor: 10_000,
  });
  const object = { status: 'succeeded', metadata: { [metadataKey ?? '']: mark, null: mark } };

  it('is of another one, and changes nothing', () => {
    const { verdict, draft } = decide(paymentRow(), object);
    expect(verdict).toEqual({
      kind: 'anomaly',
      reason: `its mark says that ${SERVICE_ID} is another payment: try 2 of order "A-1"`,
    });
    expect(draft).toEqual(draftWith(paymentRow()));
  });

  it('says nothing where the profile sets no mark', () => {
    const terms = { ...TERMS, profile: { ...TERMS.profile, metadataKey: null } };
    expect(decide(paymentRow(), object, {}, terms).verdict).toEqual({ kind: 'move', to: 'succeeded' });
  });
});

it('the time of a payment that moves is now', () => {
  expect(decide(paymentRow(), { status: 'canceled' }).draft.payment.updatedAt).toEqual(NOW);
});
