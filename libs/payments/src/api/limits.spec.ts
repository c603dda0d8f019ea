import { PaymentInputError } from '../common/payments.errors.js';
import { mayResend } from '../operations/key-age.js';
import { limits, type LimitName } from './limits.js';
import { mustBeCallOptions } from './payments-api.options.js';
import { CreateInvoiceRequestShape } from './requests/create-invoice.js';
import { CreateRefundRequestShape } from './requests/create-refund.js';
import { CreateWebhookRequestShape } from './requests/create-webhook.js';
import { PaymentListFilterShape } from './requests/list-filters.js';
import { parseCreateRequest } from './requests/parse-create-request.js';
import { parseRequest } from './requests/parse-request.js';
import { documentedProfile } from './service-profile.js';
import { yookassaProfile } from './yookassa-profile.js';

type Check = {
  /** A request with exactly this much. */
  readonly ask: (value: number) => void;
  /** The nearest value that is too much or too little, and the field that the error names. */
  readonly beyond: (limit: number) => number;
  readonly field: string;
};

const amount = { value: '100.00', currency: 'RUB' };
const confirmation = { type: 'redirect', return_url: 'https://shop.example/return' };
const create = (fields: object) =>
  parseCreateRequest({ amount, confirmation, ...fields }, { profile: documentedProfile, cardData: true });
const ofYookassa = (fields: object) =>
  parseCreateRequest({ amount, capture: true, ...fields }, { profile: yookassaProfile, cardData: false });
const line = { description: 'Cup', price: amount, quantity: 1 };
const invoice = (fields: object) =>
  parseRequest(CreateInvoiceRequestShape, {
    payment_data: { amount },
    cart: [line],
    expires_at: '2030-01-31T12:00:00.000Z',
    ...fields,
  });
const inApp = (length: number) =>
  ofYookassa({
    payment_method_data: { type: 'bank_app_pay' },
    confirmation: { type: 'mobile_application', return_url: url(length) },
  });
const byCompany = (length: number) =>
  ofYookassa({
    confirmation,
    payment_method_data: {
      type: 'b2b_sberbank',
      payment_purpose: of(length),
      vat_data: { type: 'untaxed' },
    },
  });
const byArticle = (fields: object) => {
  const code = `1.${of(28, '2')}`;
  const article = { article_number: 1, tru_code: code, article_name: 'Cane', quantity: 1, price: amount };
  const articles = [{ ...article, ...fields }];
  return ofYookassa({ confirmation, payment_method_data: { type: 'electronic_certificate', articles } });
};
const airline = (fields: object) =>
  create({ payment_method_data: { type: 'bank_card' }, airline: { ticket_number: '1', ...fields } });
const card = (fields: object) =>
  create({
    payment_method_data: {
      type: 'bank_card',
      card: { number: '5555555555554444', expiry_month: '01', expiry_year: '2099', ...fields },
    },
  });
const refund = (fields: object) =>
  parseRequest(CreateRefundRequestShape, { payment_id: 'svc-1', amount, ...fields });
const byCard = (minor: number) =>
  create({
    payment_method_data: { type: 'bank_card' },
    amount: { ...amount, value: `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}` },
  });
const of = (length: number, text = 'x') => text.repeat(length);
const times = <T>(count: number, item: T) => Array.from({ length: count }, () => item);
const url = (length: number) => `https://shop.example/${of(length - 'https://shop.example/'.length)}`;
const leg = { departure_airport: 'SVO', destination_airport: 'LED', departure_date: '2030-01-01' };
const passenger = { first_name: 'A', last_name: 'B' };
/** This many digits, the last of them the check digit. */
const cardNumber = (digits: number) => {
  for (let check = 0; check < 10; check += 1) {
    const number = `4${of(digits - 2, '0')}${check}`;
    const sum = Array.from(number)
      .toReversed()
      .reduce((total, digit, index) => {
        const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
    if (sum % 10 === 0) return number;
  }
  throw new Error('One of ten digits is the check digit.');
};

const more = (limit: number) => limit + 1;
const less = (limit: number) => limit - 1;
const checked = (field: string, ask: (value: number) => void, beyond = more): Check => ({
  field,
  ask,
  beyond,
});

/** How each limit is kept: by a check, or, if the library requests nothing by it, in words. */
const kept: Record<LimitName, Check | string> = {
  bankCardMinMinor: checked('amount.value', byCard, less),
  bankCardMaxMinor: checked('amount.value', byCard),
  descriptionLength: checked('description', (length) => create({ description: of(length) })),
  returnUrlLength: checked('confirmation.return_url', (length) =>
    create({ confirmation: { ...confirmation, return_url: url(length) } }),
  ),
  appReturnUrlLength: checked('confirmation.return_url', inApp),
  paymentPurposeLength: checked('payment_method_data.payment_purpose', byCompany),
  articleNumberMax: checked('payment_method_data.articles[0].article_number', (number) =>
    byArticle({ article_number: number }),
  ),
  articleTextLength: checked('payment_method_data.articles[0].article_name', (length) =>
    byArticle({ article_name: of(length) }),
  ),
  articlePieces: checked('payment_method_data.articles[0].quantity', (quantity) => byArticle({ quantity })),
  truCodeLength: checked('payment_method_data.articles[0].tru_code', (length) =>
    byArticle({ tru_code: `1.${of(length - 2, '2')}` }),
  ),
  metadataEntries: checked('metadata', (count) =>
    create({ metadata: Object.fromEntries(times(count, 'v').map((value, index) => [`k${index}`, value])) }),
  ),
  metadataKeyLength: checked('metadata', (length) => create({ metadata: { [of(length)]: 'v' } })),
  metadataValueLength: checked('metadata', (length) => create({ metadata: { key: of(length) } })),
  merchantCustomerIdLength: checked('merchant_customer_id', (length) =>
    create({ merchant_customer_id: of(length) }),
  ),
  paymentTokenLength: checked('payment_token', (length) => ofYookassa({ payment_token: of(length) })),
  cardPaymentTermMs: "the service's own: a payment past it is re-read as canceled",
  cardHoldMs: "the service's own: holds are planned by the payment's expires_at, never by this",
  emailLength: checked('delivery_method_data.email', (length) =>
    invoice({ delivery_method_data: { type: 'email', email: of(length) } }),
  ),
  invoiceLines: checked('cart', (count) => invoice({ cart: times(count, line) })),
  ticketNumberLength: checked('airline.ticket_number', (length) =>
    airline({ ticket_number: of(length, '1') }),
  ),
  bookingReferenceLength: checked('airline.booking_reference', (length) =>
    airline({ booking_reference: of(length) }),
  ),
  airlineLegs: checked('airline.legs', (count) => airline({ legs: times(count, leg) })),
  airlinePassengers: checked('airline.passengers', (count) =>
    airline({ passengers: times(count, passenger) }),
  ),
  passengerNameLength: checked('airline.passengers[0].last_name', (length) =>
    airline({ passengers: [{ ...passenger, last_name: of(length) }] }),
  ),
  cardNumberMinDigits: checked(
    'payment_method_data.card.number',
    (digits) => card({ number: cardNumber(digits) }),
    less,
  ),
  cardNumberMaxDigits: checked('payment_method_data.card.number', (digits) =>
    card({ number: cardNumber(digits) }),
  ),
  cscMinDigits: checked('payment_method_data.card.csc', (digits) => card({ csc: of(digits, '1') }), less),
  cscMaxDigits: checked('payment_method_data.card.csc', (digits) => card({ csc: of(digits, '1') })),
  refundDescriptionLength: checked('description', (length) => refund({ description: of(length) })),
  refundWindowMs: 'checked against the payment, under its lock: test/payments/refunds.spec.ts',
  refundTermMs: "the service's own: a refund is pending until it is re-read as something else",
  idempotenceKeyLength: checked('idempotenceKey', (length) =>
    mustBeCallOptions({ idempotenceKey: of(length) }),
  ),
  idempotenceKeyLifetimeMs: 'nothing is sent again near its end: below',
  idLength: checked('payment_id', (length) => refund({ payment_id: of(length) })),
  listPageMin: checked('limit', (limit) => parseRequest(PaymentListFilterShape, { limit }), less),
  listPageMax: checked('limit', (limit) => parseRequest(PaymentListFilterShape, { limit })),
  notificationPorts: 'two of them: below',
  notificationUrlLength: checked('url', (length) =>
    parseRequest(CreateWebhookRequestShape, { event: 'payment.succeeded', url: url(length) }),
  ),
  notificationRedeliveryMs: "the service's own: what is lost after it, polling finds",
  stateLength: 'later: partnership program',
  authorizationCodeMs: 'later: partnership program',
  tokenLifetimeMs: 'later: partnership program',
};

const checks = Object.entries(kept).flatMap(([name, check]) => {
  const limit = Object.entries(limits).find(([known]) => known === name)?.[1].value;
  return typeof check === 'string' || typeof limit !== 'number' ? [] : [{ name, limit, ...check }];
});

describe('the table of limits', () => {
  it('cites where each is documented', () => {
    for (const { source } of Object.values(limits)) expect(source).toMatch(/^(documented|assumed)$/);
  });

  it('has no row that is not kept', () => {
    expect(Object.keys(kept).toSorted()).toEqual(Object.keys(limits).toSorted());
  });

  it.each(checks)(
    '$name: $limit is accepted, and what is beyond is refused',
    ({ limit, ask, beyond, field }) => {
      ask(limit);
      let refused: unknown;
      try {
        ask(beyond(limit));
      } catch (error) {
        refused = error;
      }
      expect(refused).toBeInstanceOf(PaymentInputError);
      expect(refused).toMatchObject({ field });
    },
  );

  it('notificationPorts: 443 and 8443 are accepted, another is refused', () => {
    const ask = (port: number) =>
      parseRequest(CreateWebhookRequestShape, {
        event: 'payment.succeeded',
        url: `https://shop.example:${port}/`,
      });
    for (const port of limits.notificationPorts.value) expect(ask(port).url).toContain('shop.example');
    expect(() => ask(444)).toThrow(PaymentInputError);
  });

  it('idempotenceKeyLifetimeMs: nothing is sent again in its last hour', () => {
    const now = new Date('2030-01-02T00:00:00Z');
    const sent = (msAgo: number) => {
      const at = new Date(now.getTime() - msAgo);
      return { recordedAt: at, firstSentAt: at, lastSentAt: at };
    };
    const { value: lifetimeMs } = limits.idempotenceKeyLifetimeMs;
    expect(mayResend(sent(lifetimeMs - 3_600_001), now)).toBe(true);
    expect(mayResend(sent(lifetimeMs - 3_600_000), now)).toBe(false);
  });
});
