import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { intentOf } from '../../../../test/support/state.js';
import { paymentStatuses } from '../common/payment-status.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { sumsOf } from '../payment/order-totals.js';
import { receiptDigest } from '../receipts/receipt-digest.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import { decideCreate, type CreateDecision, type ExistingPayment, type OrderDue } from './create-decision.js';

const superseded = { supersededAt: new Date('2026-01-01T12:00:00.000Z') };

const intent = (fields: Partial<CreateIntent> = {}) =>
  intentOf({ totalDueMinor: 100, amountMinor: 100, ...fields });

/** A payment of 100 with the sums that belong to its status. */
function payment(fields: Partial<ExistingPayment> = {}): ExistingPayment {
  const { status = 'pending', amountMinor = 100 } = fields;
  const reached = status === 'waiting_for_capture' || status === 'succeeded';
  return {
    id: 'p1',
    status,
    amountMinor,
    authorizedMinor: reached ? amountMinor : 0,
    capturedMinor: status === 'succeeded' ? amountMinor : 0,
    refundedMinor: 0,
    currency: 'RUB',
    capture: true,
    method: null,
    paymentMethodId: null,
    cardData: false,
    savePaymentMethod: false,
    holdPolicy: null,
    keepsDue: false,
    receiptDigest: null,
    confirmation: { type: 'redirect' },
    part: '',
    intentKey: 'intent-1',
    supersededAt: null,
    ...fields,
  };
}

const unconfirmed = { confirmation: null };

const isOpen = ({ status }: ExistingPayment) => status === 'submitting' || status === 'pending';

const opens = (...supersede: string[]) => ({ kind: 'open', supersede });
const same = (paymentId: string) => ({ kind: 'same', paymentId });
const resumes = (paymentId: string) => ({ kind: 'resume', paymentId });
const charging = (paymentId: string) => ({ kind: 'charging', paymentId });
const settlesFirst = (paymentId: string) => ({ kind: 'settle-first', paymentId });
const paid = (paymentId: string, status: string) => ({ kind: 'paid', paymentId, status });
const exceeds = (claimedMinor: number, openPaymentId: string | null) => ({
  kind: 'exceeded',
  claimedMinor,
  openPaymentId,
});

const opensElsewhere = (openPaymentId: string) => ({ kind: 'open-elsewhere', openPaymentId });

function shown(decision: CreateDecision) {
  if (decision.kind === 'open') return opens(...decision.supersede.map(({ id }) => id));
  if (decision.kind === 'exceeded')
    return exceeds(decision.claimedMinor, decision.open && decision.open.paymentId);
  return decision.kind === 'open-elsewhere' ? opensElsewhere(decision.open.paymentId) : decision;
}

/** An order with these payments, of which as much is due as the create says, and that was never paid. */
const order = ({ totalDueMinor }: CreateIntent, payments: readonly ExistingPayment[] = []): OrderDue => {
  const sums = sumsOf(payments);
  const waivedMinor = sums.discountMinor + sums.letGoMinor;
  return { totalDueMinor, state: 'unpaid', wasPaid: false, ...sums, waivedMinor };
};

const decide = (given: CreateIntent, payments: readonly ExistingPayment[], fields: Partial<OrderDue> = {}) =>
  decideCreate(given, { ...order(given, payments), ...fields }, payments);

const dearer = { amountMinor: 150, totalDueMinor: 150 };
const half = { amountMinor: 50 };
const rest = { amountMinor: 40 };
const replace = { replace: true };
const part = { part: 'deposit', amountMinor: 50 };
const otherPart = { part: 'rest', amountMinor: 50 };

const byCard = { method: 'bank_card', cardData: true } as const;
const automatic = { paymentMethodId: 'pm-1' };

const receiptOf = (description: string): ReceiptInput => ({
  customer: { email: 'anna@buyer.example' },
  items: [{ description, amount: { value: '1.00', currency: 'RUB' }, quantity: 1, vatCode: 11 }],
});
const withCup = { receipt: receiptOf('Cup') };
const forGoods = (name: string) => ({ receiptDigest: receiptDigest(receiptOf(name), 'intent-1') });
const [forCup, forSpoon] = [forGoods('Cup'), forGoods('Spoon')];

const byCode = { confirmation: { type: 'qr' } } as const;
const byPhone = {
  method: 'mobile_balance',
  methodData: { phone: '79001234567' },
  confirmation: { type: 'external' },
} as const;

const lowered = { authorizedMinor: 60, capturedMinor: 60 };
const pending = {};
const waitsForPhone = { method: 'mobile_balance', confirmation: { type: 'external' } } as const;
const submitting = { status: 'submitting' } as const;
const held = { status: 'waiting_for_capture' } as const;
const succeeded = { status: 'succeeded' } as const;
const paidByPhone = { ...waitsForPhone, ...succeeded };
const canceled = { status: 'canceled', authorizedMinor: 100 } as const;
const returned = { ...succeeded, refundedMinor: 100 };
const sixty = { ...succeeded, amountMinor: 60 };
const sixtyCaptured = { ...succeeded, capturedMinor: 60 };
const fortyReturned = { ...succeeded, refundedMinor: 40 };

const decisions: [string, Partial<CreateIntent>, Partial<ExistingPayment>[], object][] = [
  ['of a new order', {}, [], opens()],
  ['in a second tab', {}, [pending], same('p1')],
  ['of a double click, before the first is answered', {}, [submitting], resumes('p1')],
  ['of an order that is held', {}, [held], paid('p1', 'waiting_for_capture')],
  ['of an order that is paid', {}, [succeeded], paid('p1', 'succeeded')],
  ['of an order paid by partial capture', {}, [sixtyCaptured], paid('p1', 'succeeded')],
  ['after a partial refund', {}, [fortyReturned], paid('p1', 'succeeded')],
  ['after a full refund', {}, [returned], opens()],
  ['after a canceled payment', {}, [canceled], opens()],
  ['after a refused payment', {}, [{ status: 'rejected' }], opens()],
  ['after a canceled payment, another being open', {}, [canceled, { id: 'p2' }], same('p2')],

  ['of a dearer cart', dearer, [pending], exceeds(100, 'p1')],
  ['of a cheaper cart', { ...half, totalDueMinor: 50 }, [pending], exceeds(100, 'p1')],
  ['of another capture mode', { capture: false }, [pending], exceeds(100, 'p1')],
  ['of another method', { method: 'wallet' }, [pending], exceeds(100, 'p1')],
  // @ts-expect-error there is no other one: whatever else a row says is another payment
  ['of another currency', { currency: 'XTS' }, [pending], exceeds(100, 'p1')],
  ['of a changed cart, the first one unanswered', half, [submitting], exceeds(100, 'p1')],
  ['of a changed cart, the first one held', half, [held], exceeds(100, null)],
  ['of a changed cart, the first one paid', half, [succeeded], exceeds(100, null)],
  ['of a second open part', { ...half, totalDueMinor: 150 }, [pending], opensElsewhere('p1')],
  ['of the rest of an order paid in part', rest, [sixty], opens()],
  ['of the rest after a partial capture', rest, [sixtyCaptured], exceeds(100, null)],
  [
    'of the rest after a partial capture that keeps it due',
    rest,
    [{ ...sixtyCaptured, keepsDue: true }],
    opens(),
  ],
  ['of a kopeck more than the rest', { amountMinor: 41 }, [sixty], exceeds(60, null)],
  ['of what was returned in part', rest, [fortyReturned], opens()],

  ['that replaces an open payment', { ...replace, ...dearer }, [pending], opens('p1')],
  ['that replaces an unanswered one', { ...replace, ...half }, [submitting], opens('p1')],
  ['that replaces a hold', { ...replace, ...half }, [held], opens('p1')],
  ['that would replace a paid one', { ...replace, ...half }, [succeeded], exceeds(100, null)],
  ['that replaces, the cart being the same', replace, [pending], same('p1')],
  ['that replaces, the cart being the same and held', replace, [held], paid('p1', 'waiting_for_capture')],
  ['that replaces nothing', replace, [], opens()],
  ['that replaces one of two', { ...replace, ...rest }, [sixty, { id: 'p2', amountMinor: 70 }], opens('p2')],
  ['that replaces beside a part', { ...replace, amountMinor: 60 }, [part], exceeds(50, null)],

  ['that is confirmed otherwise', byCode, [pending], exceeds(100, 'p1')],
  ['that is confirmed otherwise, before the first is answered', byCode, [submitting], exceeds(100, 'p1')],
  ['that replaces, to be confirmed otherwise', { ...replace, ...byCode }, [pending], opens('p1')],
  ['that is confirmed otherwise, the order being held', byCode, [held], paid('p1', 'waiting_for_capture')],
  ['that is confirmed otherwise, the order being paid', byCode, [succeeded], paid('p1', 'succeeded')],
  ['that is confirmed otherwise, with nothing left to confirm', byCode, [unconfirmed], same('p1')],
  ['by a phone again', byPhone, [waitsForPhone], same('p1')],
  ['that replaces, by another phone', { ...replace, ...byPhone }, [waitsForPhone], opens('p1')],
  [
    'that replaces, by a phone, the order being paid',
    { ...replace, ...byPhone },
    [paidByPhone],
    paid('p1', 'succeeded'),
  ],

  [
    'of what a credit took off, the rest being held',
    rest,
    [{ ...held, authorizedMinor: 60 }],
    exceeds(100, null),
  ],
  [
    'of what a credit took off, the rest being paid',
    rest,
    [{ ...succeeded, ...lowered }],
    exceeds(100, null),
  ],
  ['after a credit that was returned', {}, [{ ...succeeded, ...lowered, refundedMinor: 60 }], opens()],

  ['again after it replaced', { ...replace, ...dearer }, [superseded, { id: 'p2', ...dearer }], same('p2')],
  ['of the old cart after it was replaced', {}, [superseded, { id: 'p2', ...dearer }], exceeds(150, 'p2')],
  ['after an open superseded payment alone', {}, [superseded], opens()],
  ['while a superseded hold is not yet released', {}, [{ ...superseded, ...held }], exceeds(100, null)],
  ['after a superseded hold was released', {}, [{ ...superseded, ...canceled }], opens()],
  ['after a superseded payment was paid', {}, [{ ...superseded, ...succeeded }], exceeds(100, null)],
  ['after a superseded payment was paid and returned', {}, [{ ...superseded, ...returned }], opens()],

  ['of another part', otherPart, [part], opens()],
  ['of a part again', part, [part], same('p1')],
  ['of a part again, the first one unanswered', part, [{ ...part, ...submitting }], resumes('p1')],
  ['of a part that is paid', part, [{ ...part, ...succeeded }], paid('p1', 'succeeded')],
  ['of a part changed', { ...part, amountMinor: 40 }, [part], opensElsewhere('p1')],
  ['of a part that replaces itself', { ...replace, ...part, amountMinor: 60 }, [part], opens('p1')],
  [
    'of a part that would replace another',
    { ...replace, ...otherPart, amountMinor: 60 },
    [part],
    exceeds(50, null),
  ],
  ['of a part beside a nameless payment', part, [half], opens()],

  ['for the same goods', withCup, [forCup], same('p1')],
  ['for other goods', withCup, [forSpoon], exceeds(100, 'p1')],
  [
    'for other goods, the first one unanswered',
    withCup,
    [{ ...forSpoon, ...submitting }],
    exceeds(100, 'p1'),
  ],
  ['that replaces, for other goods', { ...replace, ...withCup }, [forSpoon], opens('p1')],
  ['for other goods than are held', withCup, [{ ...forSpoon, ...held }], paid('p1', 'waiting_for_capture')],
  [
    'that replaces a hold of other goods',
    { ...replace, ...withCup },
    [{ ...forSpoon, ...held }],
    opens('p1'),
  ],
  [
    'that would replace what is paid of other goods',
    { ...replace, ...withCup },
    [{ ...forSpoon, ...succeeded }],
    paid('p1', 'succeeded'),
  ],

  ['by a saved method again', automatic, [automatic], same('p1')],
  [
    'by a saved method, the first one unanswered',
    automatic,
    [{ ...automatic, ...submitting }],
    resumes('p1'),
  ],
  ['by another saved method', { paymentMethodId: 'pm-2' }, [automatic], exceeds(100, 'p1')],
  ['by a saved method beside one that the buyer confirms', automatic, [pending], exceeds(100, 'p1')],
  ['by card data, the first one unanswered', byCard, [{ ...byCard, ...submitting }], resumes('p1')],
  ['by card data, the first one on its 3-D Secure page', byCard, [byCard], same('p1')],
  ['by card data beside a card entered on the page', byCard, [{ method: 'bank_card' }], exceeds(100, 'p1')],
  ['by card data that replaces one on its 3-D Secure page', { ...byCard, ...replace }, [byCard], opens('p1')],
  [
    'that would replace an unanswered one by card data',
    { ...byCard, ...replace, ...half },
    [{ ...byCard, ...submitting }],
    settlesFirst('p1'),
  ],
  [
    'that would replace an unanswered one by a saved method with one that the buyer confirms',
    replace,
    [{ ...automatic, ...submitting }],
    settlesFirst('p1'),
  ],
  [
    'that would replace one by a saved method that the service is still at',
    { ...replace, ...half },
    [{ ...automatic, ...unconfirmed }],
    charging('p1'),
  ],
  [
    'by card data that would replace one with nothing to confirm',
    { ...byCard, ...replace },
    [{ ...byCard, ...unconfirmed }],
    same('p1'),
  ],
  ['of one part too much', { ...otherPart, amountMinor: 51 }, [part], exceeds(50, null)],
  ['of a nameless payment beside a part', half, [part], opens()],
];

describe('a create', () => {
  it.each(decisions)('%s', (_name, fields, payments, expected) => {
    const given = intent(fields);
    expect(shown(decide(given, payments.map(payment)))).toEqual(expected);
  });

  const everyStatus = paymentStatuses.map((status) => ({ status }));
  const deposit = { part: 'deposit', amountMinor: 50 };
  const wasPaid = { wasPaid: true };
  it.each<[string, Partial<CreateIntent>, Partial<OrderDue>, Partial<ExistingPayment>[], object]>([
    ['more, open', { totalDueMinor: 150 }, {}, [pending], same('p1')],
    ['more, held', { totalDueMinor: 150 }, {}, [held], paid('p1', 'waiting_for_capture')],
    [
      'less, paid by a part',
      { ...deposit, totalDueMinor: 50 },
      {},
      [{ ...deposit, ...succeeded }],
      paid('p1', 'succeeded'),
    ],
    [
      'less than is claimed',
      { ...deposit, totalDueMinor: 90 },
      {},
      [deposit, { ...half, id: 'p2' }],
      exceeds(100, null),
    ],
    [
      'as much, claimed too often',
      { ...deposit },
      {},
      [deposit, { ...half, id: 'p2' }, { ...half, id: 'p3' }],
      same('p1'),
    ],
    [
      'more, claimed too often',
      { ...deposit, totalDueMinor: 120 },
      {},
      [deposit, { ...half, id: 'p2' }, { ...half, id: 'p3' }],
      same('p1'),
    ],
    [
      'more, paid',
      { totalDueMinor: 150 },
      wasPaid,
      [succeeded],
      { kind: 'total-differs', totalDueMinor: 100 },
    ],
    [
      'more, to be opened after it was paid',
      { ...rest, totalDueMinor: 150 },
      wasPaid,
      [succeeded],
      { kind: 'total-differs', totalDueMinor: 100 },
    ],
    ['as much, paid before', rest, { ...wasPaid }, [sixty], opens()],
    [
      'too little for it, paid before',
      { amountMinor: 10, totalDueMinor: 10 },
      wasPaid,
      [succeeded],
      exceeds(100, null),
    ],
  ])('of which another sum is due, %s', (_name, fields, known, payments, expected) => {
    const given = intent(fields);
    const decision = decideCreate(
      given,
      { ...order(given, payments.map(payment)), totalDueMinor: 100, ...known },
      payments.map(payment),
    );
    expect(shown(decision)).toEqual(expected);
  });

  it.each<[string, Partial<CreateIntent>, Partial<ExistingPayment>]>([
    ['amount', half, {}],
    ['capture', { capture: false }, {}],
    ['method', { method: 'wallet' }, {}],
    ['paymentMethodId', automatic, {}],
    ['savePaymentMethod', { savePaymentMethod: true }, {}],
    ['savePaymentMethod', {}, { savePaymentMethod: true }],
    ['holdPolicy', { capture: false, holdPolicy: 'capture' }, { capture: false }],
    ['holdPolicy', { capture: false }, { capture: false, holdPolicy: 'cancel' }],
    ['receipt', withCup, forSpoon],
    ['confirmation', byCode, {}],
  ])('that differs in %s says so, and replaces where it may', (name, fields, known) => {
    const given = intent({ ...fields, totalDueMinor: 500 });
    const decided = (one: CreateIntent) => decide(one, [payment(known)]);
    expect(decided(given)).toEqual({ kind: 'open-elsewhere', open: { paymentId: 'p1', differs: [name] } });
    expect(shown(decided({ ...given, replace: true }))).toEqual(opens('p1'));
  });

  it.each(everyStatus)(
    'of other terms than one that is $status replaces it only while that makes a difference',
    ({ status }) => {
      const given = intent({ savePaymentMethod: true, replace: true });
      const { kind } = decide(given, [payment({ status })]);
      expect(kind).toBe(status === 'succeeded' ? 'paid' : 'open');
    },
  );
});

describe('whatever an order has been through', () => {
  const anyIntent = fc
    .record({
      amountMinor: fc.integer({ min: 1, max: 4 }),
      extraDueMinor: fc.nat(6),
      capture: fc.boolean(),
      method: fc.constantFrom(null, 'bank_card' as const),
      replace: fc.boolean(),
      part: fc.constantFrom('', '', 'a', 'b'),
    })
    .map(({ extraDueMinor, ...fields }) =>
      intent({ ...fields, totalDueMinor: fields.amountMinor + extraDueMinor }),
    );
  const anyPayment = fc
    .record({
      status: fc.constantFrom(...paymentStatuses),
      amountMinor: fc.integer({ min: 1, max: 4 }),
      capturedPart: fc.double({ min: 0.25, max: 1, noNaN: true }),
      refundedPart: fc.constantFrom(0, 0, 0.5, 1),
      capture: fc.boolean(),
      method: fc.constantFrom(null, 'bank_card'),
      part: fc.constantFrom('', '', 'a', 'b'),
      supersededAt: fc.constantFrom(null, null, superseded.supersededAt),
    })
    .map(({ capturedPart, refundedPart, ...fields }) => {
      const whole = payment(fields);
      const capturedMinor = Math.ceil(whole.capturedMinor * capturedPart);
      return { ...whole, capturedMinor, refundedMinor: Math.floor(capturedMinor * refundedPart) };
    });
  const anyHistory = fc
    .array(anyPayment, { maxLength: 4 })
    .map((payments) => payments.map((past, index) => ({ ...past, id: `p${index}` })));

  /** The order’s payments after a decision to open is carried out. */
  const afterwards = (history: ExistingPayment[], supersede: readonly ExistingPayment[]) =>
    history.map((past) => (supersede.includes(past) ? { ...past, ...superseded } : past));

  /** The check answers and expects nothing: an expect() in each of thousands of runs would take longer than what is tested. */
  const everyOpening = (
    check: (
      given: CreateIntent,
      history: ExistingPayment[],
      supersede: readonly ExistingPayment[],
    ) => boolean,
  ) =>
    fc.property(anyIntent, anyHistory, (given, history) => {
      const decision = decide(given, history);
      return decision.kind !== 'open' || check(given, history, decision.supersede);
    });
  const runs = { numRuns: 2_000 };

  it('another payment is opened only while paid + held + open + new is at most what is due', () => {
    const property = everyOpening((given, history, supersede) => {
      const kept = history.filter((past) => !supersede.includes(past));
      const sum = (of: (past: ExistingPayment) => number) =>
        kept.reduce((total, past) => total + of(past), 0);
      const paidMinor = sum((past) => past.capturedMinor - past.refundedMinor);
      const heldMinor = sum((past) => (past.status === 'waiting_for_capture' ? past.authorizedMinor : 0));
      const openMinor = sum((past) => (isOpen(past) && past.supersededAt === null ? past.amountMinor : 0));
      return paidMinor + heldMinor + openMinor + given.amountMinor <= given.totalDueMinor;
    });
    expect(fc.check(property, runs).counterexample).toBeNull();
  });

  it('a part has no second open payment', () => {
    const property = everyOpening((given, history, supersede) => {
      return !afterwards(history, supersede).some(
        (past) => isOpen(past) && past.supersededAt === null && past.part === given.part,
      );
    });
    expect(fc.check(property, runs).counterexample).toBeNull();
  });

  it('only an open or held payment is superseded, never a paid one, another part or an already superseded one', () => {
    const property = everyOpening((given, _history, supersede) => {
      const wasOpenOrHeld = ['submitting', 'pending', 'waiting_for_capture'];
      return (
        (supersede.length === 0 || given.replace) &&
        supersede.every(
          (past) =>
            wasOpenOrHeld.includes(past.status) && past.part === given.part && past.supersededAt === null,
        )
      );
    });
    expect(fc.check(property, runs).counterexample).toBeNull();
  });

  it('the same create again resumes the payment it opened', () => {
    const property = everyOpening((given, history, supersede) => {
      const { amountMinor, capture, method, part: name } = given;
      const opened = payment({ id: 'new', status: 'submitting', amountMinor, capture, method, part: name });
      const again = decide(given, [...afterwards(history, supersede), opened]);
      return isDeepStrictEqual(again, resumes('new'));
    });
    expect(fc.check(property, runs).counterexample).toBeNull();
  });
});
