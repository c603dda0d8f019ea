import { documentedProfile as profile } from '../api/service-profile.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import { paymentMark, type MarkedPayment } from '../payment/payment-mark.js';
import { refundMark } from '../payment/refunds/refund-mark.js';
import { receiptDigest } from '../receipts/receipt-digest.js';
import type { RecordedBody } from './personal-data.js';
import { disagreement, type RecordedRequest } from './request-agrees.js';
import { captureBody, CANCEL_BODY, createBody, fingerprint, refundBody } from './request-body.js';

const payment: RecordedRequest['payment'] = {
  id: 'payment-1',
  storeId: 'store-1',
  serviceId: 'service-1',
  amountMinor: 10_000,
  currency: 'RUB' as const,
  capture: false,
  method: 'wallet',
  paymentMethodId: null,
  description: 'Tea',
  metadata: { basket: '7' },
  receiptsAfter: false,
  receiptDigest: null,
  part: '',
  tryNumber: 1,
  intentKey: 'intent-1',
};
const refund = {
  refundKey: 'cup',
  serviceId: null,
  storeId: 'store-1',
  paymentId: 'payment-1',
  amountMinor: 100,
  currency: 'RUB' as const,
  description: null,
  metadata: { size: 'XL' },
};
const intent = {
  scope: {},
  orderReference: 'A-1',
  totalDueMinor: 10_000,
  amountMinor: 10_000,
  currency: 'RUB' as const,
  capture: false,
  confirmation: null,
  methodData: null,
  description: 'Tea',
  savePaymentMethod: false,
  sent: {},
  receipt: null,
  receiptsAfter: false,
  metadata: { basket: '7' },
  extra: {},
  holdPolicy: null,
  replace: false,
  part: '',
  method: 'wallet',
  paymentMethodId: null,
  cardData: false,
} as const;

const markOf = (said: Partial<MarkedPayment> = {}) =>
  paymentMark('store-1', { ...intent, tryNumber: 1, receiptDigest: null, prepaidMinor: 0, ...said });
const mark = markOf();
const markOfRefund = refundMark(payment, { refundKey: refund.refundKey, whole: false, receiptDigest: null });

const bodies = {
  create: createBody(intent, mark, profile),
  capture: captureBody(6_000, 'RUB'),
  cancel: CANCEL_BODY,
  refund: refundBody({
    serviceId: 'service-1',
    amountMinor: 100,
    currency: 'RUB' as const,
    description: null,
    metadata: { size: 'XL' },
    receipt: null,
    extra: {},
    mark: markOfRefund,
    profile,
  }),
};

function recorded(kind: keyof typeof bodies, request: RecordedBody = bodies[kind]): RecordedRequest {
  const ids = { storeId: 'store-1', paymentId: payment.id, refundId: kind === 'refund' ? 'refund-1' : null };
  return {
    operation: { ...ids, kind, ...request, fingerprint: fingerprint(kind, request) },
    payment,
    refund: kind === 'refund' ? refund : null,
  };
}
const text = (body: string): RecordedBody => ({ body, personal: null });
/** Forged by somebody who knows how fingerprints are made. */
const rewritten = (kind: keyof typeof bodies, changes: object) =>
  recorded(kind, text(JSON.stringify({ ...JSON.parse(bodies[kind].body), ...changes })));

describe('a recorded request', () => {
  it.each<keyof typeof bodies>(['create', 'capture', 'cancel', 'refund'])(
    'agrees with its rows: %s',
    (kind) => {
      expect(disagreement(recorded(kind), profile)).toBeNull();
    },
  );

  it("agrees with them in the wire's words", () => {
    const body = createBody(intent, mark, yookassaProfile);
    expect(disagreement(recorded('create', body), yookassaProfile)).toBeNull();
  });

  it('agrees with them by a method that the module does not know', () => {
    const extra = { payment_method_data: { type: 'another_certificate' } };
    const body = createBody({ ...intent, method: null, extra }, mark, yookassaProfile);
    const request = { ...recorded('create', body), payment: { ...payment, method: null } };
    expect(disagreement(request, yookassaProfile)).toBeNull();
  });

  it("agrees with them although the profile's mark has changed meanwhile", () => {
    const later = { ...profile, metadataKey: 'other', refundMetadataKey: 'other' };
    expect(disagreement(recorded('create'), later)).toBeNull();
    expect(disagreement(recorded('refund'), later)).toBeNull();
  });

  const receipt = {
    customer: { email: 'anna@buyer.example' },
    items: [
      {
        description: 'Tea',
        amount: { value: '100.00', currency: 'RUB' as const },
        quantity: 1,
        vatCode: 11,
      } as const,
    ],
  };
  const withReceipt = { ...payment, receiptDigest: receiptDigest(receipt, payment.intentKey) };
  const body = createBody({ ...intent, receipt }, mark, profile);

  it('agrees with the receipt that it was given, in it or after it', () => {
    expect(disagreement({ ...recorded('create', body), payment: withReceipt }, profile)).toBeNull();
    const after = { ...recorded('create'), payment: { ...withReceipt, receiptsAfter: true } };
    expect(disagreement(after, profile)).toBeNull();
  });

  const rub = (value: string) => ({ amount: { value, currency: 'RUB' as const } });
  it.each<[RecordedRequest, string]>([
    [
      { ...recorded('refund'), operation: { ...recorded('refund').operation, fingerprint: '0' } },
      'fingerprint',
    ],
    [recorded('refund', text('not json')), 'its body'],
    [recorded('create', text('[]')), 'its body'],
    [rewritten('create', rub('1.00')), 'its amount'],
    [rewritten('create', { amount: { value: '100.00', currency: 'USD' } }), 'its amount'],
    [rewritten('create', { capture: true }), 'whether it captures'],
    [rewritten('create', { payment_method_data: { type: 'bank_card' } }), 'its payment method'],
    [{ ...rewritten('create', {}), payment: { ...payment, method: null } }, 'its payment method'],
    [rewritten('create', { payment_method_id: 'of another buyer' }), 'its saved payment method'],
    [rewritten('create', { description: 'Coffee' }), 'its description'],
    [rewritten('create', { metadata: { holdfast_payment: 'forged' } }), 'the payment it names'],
    [
      rewritten('create', { metadata: { holdfast_payment: markOf({ tryNumber: 2 }) } }),
      'the payment it names',
    ],
    [
      rewritten('create', { metadata: { holdfast_payment: markOf({ part: 'rest' }) } }),
      'the payment it names',
    ],
    [rewritten('create', { metadata: { holdfast_payment: mark } }), 'its metadata'],
    [{ ...recorded('create'), payment: withReceipt }, 'its receipt'],
    [recorded('create', body), 'its receipt'],
    [
      {
        ...recorded('create', {
          ...body,
          personal: JSON.stringify({ receipt: { customer: { email: 'x@y.z' } } }),
        }),
        payment: withReceipt,
      },
      'its receipt',
    ],
    [rewritten('capture', rub('100.01')), 'its amount'],
    [rewritten('capture', rub('0.00')), 'its amount'],
    [rewritten('capture', { amount: undefined }), 'its amount'],
    [rewritten('capture', { amount: { value: '60.00', currency: 'USD' } }), 'its amount'],
    [rewritten('cancel', rub('1.00')), 'its body'],
    [rewritten('refund', rub('100.00')), 'its amount'],
    [rewritten('refund', { amount: { value: '1.00', currency: 'USD' } }), 'its amount'],
    [rewritten('refund', { payment_id: 'service-2' }), 'the payment it names'],
    [rewritten('refund', { description: 'Torn' }), 'its description'],
    [rewritten('refund', { metadata: { holdfast_refund: 'refund-2' } }), 'the refund it names'],
    [rewritten('refund', { metadata: { size: 'M', holdfast_refund: markOfRefund } }), 'its metadata'],
    [rewritten('refund', { metadata: { size: 'XL', other: 'refund-2' } }), 'its metadata'],
    [rewritten('refund', { metadata: { size: 'XL', a: markOfRefund, b: markOfRefund } }), 'its metadata'],
    [rewritten('refund', { metadata: undefined }), 'its metadata'],
    [{ ...recorded('refund'), refund: { ...refund, metadata: {} } }, 'its metadata'],
    [{ ...recorded('refund'), refund: null }, 'its refund'],
    [{ ...recorded('refund'), refund: { ...refund, paymentId: 'payment-2' } }, 'its refund'],
    [{ ...recorded('refund'), refund: { ...refund, storeId: 'store-2' } }, 'its refund'],
    [{ ...recorded('refund'), refund: { ...refund, amountMinor: 101 } }, 'its amount'],
    [{ ...recorded('refund'), payment: { ...payment, serviceId: null } }, 'the payment it names'],
    [{ ...recorded('cancel'), payment: { ...payment, storeId: 'store-2' } }, 'its store'],
    [{ ...recorded('cancel'), payment: { ...payment, id: 'payment-2' } }, 'its store'],
  ])('that was forged is found: case %#, %s', (request, what) => {
    expect(disagreement(request, profile)).toContain(what);
  });
});
