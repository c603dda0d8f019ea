import { PaymentInputError } from '../../common/payments.errors.js';
import type { Shape } from '../../common/validation.js';
import { documentedMethods } from '../method-rules.js';
import { documentedProfile } from '../service-profile.js';
import { CapturePaymentRequestShape } from './capture-payment.js';
import { CreateRefundRequestShape } from './create-refund.js';
import { CreateWebhookRequestShape } from './create-webhook.js';
import { PaymentListFilterShape, RefundListFilterShape } from './list-filters.js';
import { parseCreateRequest } from './parse-create-request.js';
import { parseRequest } from './parse-request.js';

const amount = { value: '100.00', currency: 'RUB' };
const confirmation = { type: 'redirect', return_url: 'https://shop.example/return' };
const card = {
  number: '5555555555554444',
  expiry_month: '12',
  expiry_year: '2099',
  csc: '123',
  cardholder: 'ANNA PETROVA',
};
const leg = { departure_airport: 'SVO', destination_airport: 'LED', departure_date: '2030-02-28' };
const passenger = { first_name: 'ANNA', last_name: 'PETROVA' };
const airline = { ticket_number: '4211234567890', passengers: [passenger], legs: [leg] };
const byCard = { payment_method_data: { type: 'bank_card' } };
const byToken = { payment_method_data: { type: 'wallet_pay', payment_method_token: 'cryptogram' } };

const parseCreate = (input: unknown, cardData = true) =>
  parseCreateRequest(input, { profile: documentedProfile, cardData });
const reading =
  <T extends object>(shape: Shape<T>) =>
  (input: unknown): T =>
    parseRequest(shape, input);

/** The message with which `read` refuses the input. */
function refusal(read: (input: unknown) => unknown, input: unknown): string {
  try {
    read(input);
  } catch (error) {
    if (error instanceof PaymentInputError) return error.message;
    throw error;
  }
  return 'taken';
}

const create = (fields: object) => refusal(parseCreate, { amount, confirmation, ...fields });
const withCard = (fields: object) =>
  create({ payment_method_data: { type: 'bank_card', card: { ...card, ...fields } } });
const withAirline = (fields: object) => create({ ...byCard, airline: { ...airline, ...fields } });
const withLegs = (fields: object) => withAirline({ legs: [leg, { ...leg, ...fields }] });
const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, 'v']));

const amountRule = 'must be a decimal string with exactly two fractional digits and above zero, e.g. "10.00"';
const addressRule = 'an http or https address on your side of at most 2048 characters';
const returnUrlRule = `is required for the redirect scenario: ${addressRule}`;
const metadataRule =
  'must hold at most 16 entries, keys of 1 to 32 and string values of at most 512 characters';
const numberRule = 'must be a card number: 13 to 19 digits without spaces, the last of them its check digit';
const yearRule = 'must be a year in four digits, e.g. "2031", and with the month not be over';
const airportRule = 'must be an airport code of three capital letters, e.g. "SVO"';
const dateRule = 'must be a date of the calendar, YYYY-MM-DD';
const ticketRule = 'must be 1 to 150 digits, and may be left out only with a booking_reference';
const nothingToConfirm = 'must be left out: there is nothing for the buyer to confirm';
const stray = 'is not a field of this input';

describe('a create request', () => {
  it.each<[string, object]>([
    ['smart payment', {}],
    ['a bank card entered on the page', byCard],
    ['the least by bank card', { ...byCard, amount: { value: '1.00', currency: 'RUB' } }],
    ['the most by bank card', { ...byCard, amount: { value: '350000.00', currency: 'RUB' } }],
    [
      'less than a rouble by e-wallet',
      { payment_method_data: { type: 'wallet' }, amount: { value: '0.50', currency: 'RUB' } },
    ],
    ['3-D Secure asked for', { confirmation: { ...confirmation, enforce: true } }],
    ['a card', { payment_method_data: { type: 'bank_card', card } }],
    [
      'a card without csc and holder',
      {
        payment_method_data: { type: 'bank_card', card: { ...card, csc: undefined, cardholder: undefined } },
      },
    ],
    [
      'a card of 19 digits, csc of 4',
      {
        payment_method_data: {
          type: 'bank_card',
          card: { ...card, number: '6212345678901234569', csc: '1234' },
        },
      },
    ],
    ['a cryptogram', { ...byToken, confirmation: undefined }],
    [
      'a saved method',
      { payment_method_id: '2d0a1f3e-000f-5000-a000-1d2c3b4a5f60', confirmation: undefined },
    ],
    ['a saved method and air tickets', { payment_method_id: 'pm-1', confirmation: undefined, airline }],
    ['air tickets', { ...byCard, airline }],
    ['a booking', { ...byCard, airline: { booking_reference: 'ABC123' } }],
    ['a leap day', { ...byCard, airline: { ...airline, legs: [{ ...leg, departure_date: '2028-02-29' }] } }],
    [
      'the longest of everything',
      {
        ...byCard,
        description: 'x'.repeat(128),
        metadata: { ...entries(15), ['k'.repeat(32)]: 'v'.repeat(512) },
        merchant_customer_id: 'b'.repeat(200),
        confirmation: { type: 'redirect', return_url: `https://shop.example/${'x'.repeat(2048 - 21)}` },
        airline: {
          ticket_number: '1'.repeat(150),
          booking_reference: 'B'.repeat(20),
          passengers: Array.from({ length: 500 }, () => ({
            first_name: 'A'.repeat(64),
            last_name: 'B'.repeat(64),
          })),
          legs: [leg, leg, leg, leg],
        },
      },
    ],
    ['128 characters beyond the 16-bit range', { description: '😀'.repeat(128) }],
    [
      'a return address without a dot',
      { confirmation: { ...confirmation, return_url: 'http://my_shop:3000/back' } },
    ],
    [
      'a return address in Cyrillic',
      { confirmation: { ...confirmation, return_url: 'https://магазин.рф/назад' } },
    ],
    ['fields given as undefined', { description: undefined, airline: undefined }],
  ])('accepts %s', (_name, fields) => {
    const input = { amount, confirmation, ...fields };
    expect(JSON.stringify(parseCreate(input))).toBe(JSON.stringify(input));
  });

  it.each<[object, string]>([
    [{ amount: undefined }, 'amount: must be an amount: { value, currency }'],
    [{ amount: null }, 'amount: must be an amount: { value, currency }'],
    [{ amount: '100.00' }, 'amount: must be an amount: { value, currency }'],
    [{ amount: [amount] }, 'amount: must be an amount: { value, currency }'],
    [{ amount: { ...amount, value: undefined } }, `amount.value: ${amountRule}`],
    [{ amount: { ...amount, value: 100 } }, `amount.value: ${amountRule}`],
    [{ amount: { ...amount, value: '100' } }, `amount.value: ${amountRule}`],
    [{ amount: { ...amount, value: '100.5' } }, `amount.value: ${amountRule}`],
    [{ amount: { ...amount, value: '100,00' } }, `amount.value: ${amountRule}`],
    [{ amount: { ...amount, value: '-1.00' } }, `amount.value: ${amountRule}`],
    [{ amount: { ...amount, value: '0.00' } }, `amount.value: ${amountRule}`],
    [{ amount: { ...amount, currency: 'USD' } }, 'amount.currency: must be RUB'],
    [{ amount: { value: '100.00' } }, 'amount.currency: must be RUB'],
    [{ amount: { ...amount, valeu: '1' } }, `amount.valeu: ${stray}`],
    [
      { ...byCard, amount: { ...amount, value: '0.99' } },
      'amount.value: must be 1.00 to 350000.00 roubles by bank card',
    ],
    [
      { ...byCard, amount: { ...amount, value: '350000.01' } },
      'amount.value: must be 1.00 to 350000.00 roubles by bank card',
    ],
    [{ capture: 'true' }, 'capture: must be true or false'],
    [{ capture: null }, 'capture: must be true or false'],
    [{ confirmation: undefined }, `confirmation: ${returnUrlRule}`],
    [{ ...byCard, confirmation: undefined }, `confirmation: ${returnUrlRule}`],
    [
      { confirmation: 'redirect' },
      'confirmation: must be { type: "redirect", return_url, … }, or of another type',
    ],
    [
      { confirmation: { ...confirmation, type: 'hologram' } },
      'confirmation.type: must be one of redirect, embedded, qr, external, mobile_application',
    ],
    [{ confirmation: { ...confirmation, type: 'embedded' } }, `confirmation.return_url: ${stray}`],
    [
      { confirmation: { type: 'embedded' } },
      'confirmation.type: embedded is not part of the documented service; the yookassa profile has it',
    ],
    [
      { confirmation: { ...confirmation, locale: 'ru_RU' } },
      'confirmation.locale: locale is not part of the documented service; the yookassa profile has it',
    ],
    [{ confirmation: { type: 'redirect' } }, `confirmation.return_url: ${returnUrlRule}`],
    [
      { confirmation: { ...confirmation, return_url: 'shop.example' } },
      `confirmation.return_url: must be ${addressRule}`,
    ],
    [
      { confirmation: { ...confirmation, return_url: 'http:shop.example' } },
      `confirmation.return_url: must be ${addressRule}`,
    ],
    [
      { confirmation: { ...confirmation, return_url: ' https://shop.example/' } },
      `confirmation.return_url: must be ${addressRule}`,
    ],
    [
      { confirmation: { ...confirmation, return_url: 'javascript:alert(1)' } },
      `confirmation.return_url: must be ${addressRule}`,
    ],
    [
      { confirmation: { ...confirmation, return_url: `https://shop.example/${'x'.repeat(2048 - 20)}` } },
      `confirmation.return_url: must be ${addressRule}`,
    ],
    [{ confirmation: { ...confirmation, enforce: 'yes' } }, 'confirmation.enforce: must be true or false'],
    [
      { confirmation: { ...confirmation, returnUrl: 'x' } },
      `confirmation.returnUrl: ${stray}: return_url is meant`,
    ],
    [{ payment_method_data: 'bank_card' }, 'payment_method_data: must be { type, … }'],
    [{ payment_method_data: {} }, 'payment_method_data.type: must be the name of a method'],
    [
      { payment_method_data: { type: 'hologram', card } },
      'payment_method_data.type: must be one of bank_card, wallet, wallet_pay',
    ],
    [
      { payment_method_data: { type: 'cash', card } },
      'payment_method_data.type: cash is not part of the documented service; the yookassa profile has it',
    ],
    [
      { payment_method_data: { type: 'bank_app_pay' } },
      "payment_method_data.type: bank_app_pay is the buyer's choice on the service's page: leave the method out",
    ],
    [{ payment_method_data: { type: 'wallet', card } }, `payment_method_data.card: ${stray}`],
    [
      { payment_method_data: { type: 'bank_card', payment_method_token: 'x' } },
      `payment_method_data.payment_method_token: ${stray}`,
    ],
    [
      { payment_method_data: { type: 'bank_card', card: 4 } },
      'payment_method_data.card: must be { number, expiry_month, expiry_year, csc?, cardholder? }',
    ],
    [
      { payment_method_data: { type: 'wallet_pay' }, confirmation: undefined },
      'payment_method_data.payment_method_token: must be the cryptogram as the wallet gave it, a string that is not empty',
    ],
    [
      { payment_method_data: { type: 'wallet_pay', payment_method_token: '' } },
      'payment_method_data.payment_method_token: must be the cryptogram as the wallet gave it, a string that is not empty',
    ],
    [byToken, `confirmation: ${nothingToConfirm}`],
    [{ payment_method_id: 'pm-1' }, `confirmation: ${nothingToConfirm}`],
    [
      { payment_method_id: 'pm-1', ...byCard, confirmation: undefined },
      'payment_method_id: must be left out beside payment_method_data.type: one of them says how it is paid',
    ],
    [
      { payment_method_id: '../me' },
      "payment_method_id: must be the service's id of a saved payment method: 1 to 64 letters, digits, - and _",
    ],
    [{ save_payment_method: 1 }, 'save_payment_method: must be true or false'],
    [{ merchant_customer_id: '' }, 'merchant_customer_id: must be a string of 1 to 200 characters'],
    [
      { merchant_customer_id: 'b'.repeat(201) },
      'merchant_customer_id: must be a string of 1 to 200 characters',
    ],
    [{ description: 'x'.repeat(129) }, 'description: must be a string of at most 128 characters'],
    [{ description: 7 }, 'description: must be a string of at most 128 characters'],
    [{ description: 'x\uFE0F'.repeat(65) }, 'description: must be a string of at most 128 characters'],
    [{ description: 'a\u0000b' }, 'description: must be a string of at most 128 characters'],
    [{ metadata: 'x' }, `metadata: ${metadataRule}`],
    [{ metadata: entries(17) }, `metadata: ${metadataRule}`],
    [{ metadata: { ['k'.repeat(33)]: 'v' } }, `metadata: ${metadataRule}`],
    [{ metadata: { '': 'v' } }, `metadata: ${metadataRule}`],
    [{ metadata: { key: 'v'.repeat(513) } }, `metadata: ${metadataRule}`],
    [{ metadata: { key: 7 } }, `metadata: ${metadataRule}`],
    [{ metadata: { key: { nested: 'v' } } }, `metadata: ${metadataRule}`],
    [{ metadata: { constructor: 7 } }, 'constructor: cannot be the name of a field'],
    [{ airline }, 'airline: is for bank card payments only: payment_method_data.type must be bank_card'],
    [
      { airline, payment_method_data: { type: 'wallet' } },
      'airline: is for bank card payments only: payment_method_data.type must be bank_card',
    ],
    [{ amout: amount }, `amout: ${stray}`],
    [{ '4111111111111111': 'x' }, `?: ${stray}`],
  ])('with %j is refused, naming field and rule', (fields, message) => {
    expect(create(fields)).toBe(message);
  });

  it.each<[object, string]>([
    [{ number: undefined }, `number: ${numberRule}`],
    [{ number: 5555555555554444 }, `number: ${numberRule}`],
    [{ number: '5555 5555 5555 4444' }, `number: ${numberRule}`],
    [{ number: '5555555555554445' }, `number: ${numberRule}`],
    [{ number: '424242424242' }, `number: ${numberRule}`],
    [{ number: '62123456789012345676' }, `number: ${numberRule}`],
    [{ expiry_month: '13' }, 'expiry_month: must be a month in two digits, "01" to "12"'],
    [{ expiry_month: '00' }, 'expiry_month: must be a month in two digits, "01" to "12"'],
    [{ expiry_month: '1' }, 'expiry_month: must be a month in two digits, "01" to "12"'],
    [{ expiry_month: undefined }, 'expiry_month: must be a month in two digits, "01" to "12"'],
    [{ expiry_year: '31' }, `expiry_year: ${yearRule}`],
    [{ expiry_year: '2020' }, `expiry_year: ${yearRule}`],
    [{ expiry_year: 2099 }, `expiry_year: ${yearRule}`],
    [{ csc: '12' }, 'csc: must be 3 or 4 digits'],
    [{ csc: '12345' }, 'csc: must be 3 or 4 digits'],
    [{ csc: 987 }, 'csc: must be 3 or 4 digits'],
    [{ cardholder: '' }, 'cardholder: must be the name on the card, 1 to 64 characters'],
    [{ cvc: '987' }, `cvc: ${stray}`],
  ])('with the card field %j is refused, and the message reveals nothing of the card', (fields, message) => {
    const refused = withCard(fields);
    expect(refused).toBe(`payment_method_data.card.${message}`);
  });

  it.each<[string, string]>([
    ['airline', create({ ...byCard, airline: [] })],
    ['airline.ticket_number', withAirline({ ticket_number: undefined })],
    ['airline.ticket_number', withAirline({ ticket_number: '421-123' })],
    ['airline.ticket_number', withAirline({ ticket_number: '1'.repeat(151) })],
    ['airline.ticket_number', withAirline({ ticket_number: '' })],
    ['airline.booking_reference', withAirline({ booking_reference: '' })],
    ['airline.booking_reference', withAirline({ booking_reference: 'B'.repeat(21) })],
    ['airline.passengers', withAirline({ passengers: passenger })],
    ['airline.passengers[0]', withAirline({ passengers: ['ANNA'] })],
    ['airline.passengers', withAirline({ passengers: Array.from({ length: 501 }, () => passenger) })],
    ['airline.passengers[0].first_name', withAirline({ passengers: [{ last_name: 'PETROVA' }] })],
    [
      'airline.passengers[1].last_name',
      withAirline({ passengers: [passenger, { first_name: 'A', last_name: 7 }] }),
    ],
    [
      'airline.passengers[0].last_name',
      withAirline({ passengers: [{ first_name: 'A', last_name: 'B'.repeat(65) }] }),
    ],
    ['airline.passengers[0].name', withAirline({ passengers: [{ ...passenger, name: 'A' }] })],
    ['airline.legs', withAirline({ legs: [leg, leg, leg, leg, leg] })],
    ['airline.legs[0]', withAirline({ legs: [[]] })],
    ['airline.legs[1].departure_airport', withLegs({ departure_airport: 'SVO1' })],
    ['airline.legs[1].departure_airport', withLegs({ departure_airport: undefined })],
    ['airline.legs[1].destination_airport', withLegs({ destination_airport: 'L3D' })],
    ['airline.legs[1].destination_airport', withLegs({ destination_airport: 'led' })],
    ['airline.legs[1].departure_date', withLegs({ departure_date: '2030-02-30' })],
    ['airline.legs[1].departure_date', withLegs({ departure_date: '2029-02-29' })],
    ['airline.legs[1].departure_date', withLegs({ departure_date: '28.02.2030' })],
    ['airline.legs[1].departure_date', withLegs({ departure_date: '2030-02-28T00:00:00Z' })],
    ['airline.legs[1].carrier', withLegs({ carrier: 'SU' })],
    ['airline.seat', withAirline({ seat: '1A' })],
  ])('names %s by its path', (path, message) => {
    expect(message).toBe(`${path}: ${message.slice(path.length + 2)}`);
  });

  it.each<[string, string]>([
    [withAirline({ ticket_number: undefined }), `airline.ticket_number: ${ticketRule}`],
    [
      withAirline({ booking_reference: 'B'.repeat(21) }),
      'airline.booking_reference: must be a string of 1 to 20 characters',
    ],
    [
      withAirline({ passengers: {} }),
      'airline.passengers: must be an array of at most 500, each { first_name, last_name }',
    ],
    [
      withAirline({ passengers: [{ ...passenger, last_name: '' }] }),
      'airline.passengers[0].last_name: must be a string of 1 to 64 characters',
    ],
    [
      withAirline({ legs: 'SVO' }),
      'airline.legs: must be an array of at most 4, each { departure_airport, destination_airport, departure_date }',
    ],
    [
      withAirline({ passengers: [passenger, null] }),
      'airline.passengers[1]: must be an object: { first_name, last_name }',
    ],
    [
      withAirline({ passengers: Object.assign([], { 1: passenger }) }),
      'airline.passengers[0]: must be an object: { first_name, last_name }',
    ],
    [withLegs({ departure_airport: '' }), `airline.legs[1].departure_airport: ${airportRule}`],
    [withLegs({ departure_date: '2030-13-01' }), `airline.legs[1].departure_date: ${dateRule}`],
  ])('reports the rule of air tickets: %s', (message, expected) => {
    expect(message).toBe(expected);
  });

  it.each([
    ['a card', { payment_method_data: { type: 'bank_card', card } }, 'card'],
    ['a cryptogram', { ...byToken, confirmation: undefined }, 'payment_method_token'],
  ])('with %s is refused if card data is not enabled', (_name, fields, field) => {
    expect(refusal((input) => parseCreate(input, false), { amount, confirmation, ...fields })).toBe(
      `payment_method_data.${field}: is not sent unless card data is enabled (cardData: true), which requires a PCI DSS compliance certificate`,
    );
  });

  it("has the profile's own limits by bank card", () => {
    const { bank_card: rules } = documentedMethods;
    const methods = { bank_card: { ...rules, minMinor: 5_000, maxMinor: 9_999 } };
    const profile = { ...documentedProfile, methods };
    const read = (input: unknown) => parseCreateRequest(input, { profile, cardData: false });
    expect(refusal(read, { amount, confirmation, ...byCard })).toBe(
      'amount.value: must be 50.00 to 99.99 roubles by bank card',
    );
  });
});

describe('a request', () => {
  const circular: Record<string, unknown> = { amount };
  circular['self'] = circular;
  let bottomless: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) bottomless = { in: bottomless };
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  class Price {
    readonly currency = 'RUB';

    get value(): string {
      return '100.00';
    }
  }

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'the input: must be an object'],
    ['null', null, 'the input: must be an object'],
    ['an array', [], 'the input: must be an object'],
    ['a string', '{}', 'the input: must be an object'],
    ['a cycle', circular, 'self: must not contain itself'],
    [
      'a cycle below',
      { airline: { legs: [leg, circular] } },
      'airline.legs[1].self: must not contain itself',
    ],
    ['a bigint', { amount: { value: 1n } }, 'amount.value: must not be a bigint'],
    ['a function', { amount, confirmation: () => confirmation }, 'confirmation: must not be a function'],
    ['a function as an optional field', { amount, capture: () => false }, 'capture: must not be a function'],
    ['a symbol', { amount: [Symbol('100.00')] }, 'amount[0]: must not be a symbol'],
    [
      'what a getter throws at',
      {
        amount,
        airline: {
          get legs() {
            throw new Error('4111111111111111');
          },
        },
      },
      'airline.legs: could not be read: reading it throws',
    ],
    ['a proxy of nothing', { amount, airline: revoked() }, 'airline: could not be read: reading it throws'],
    [
      'what fails to say how it is sent',
      {
        amount,
        toJSON() {
          throw new Error('4111111111111111');
        },
      },
      'the input: must be plain data, which JSON can express',
    ],
    ['deeper than any stack', bottomless, 'the input: must be plain data, which JSON can express'],
    [
      'an object that inherits its fields',
      Object.create({ amount, confirmation }),
      'amount: must be a field of the object itself: what its class or prototype has is not sent',
    ],
    [
      'an object with a getter of its class',
      { amount: new Price(), confirmation },
      'amount.value: must be a field of the object itself: what its class or prototype has is not sent',
    ],
    [
      'a magic name below',
      { amount, airline: { legs: [JSON.parse('{"constructor": 1}')] } },
      'constructor: cannot be the name of a field',
    ],
    [
      'a magic name',
      JSON.parse('{"__proto__": {"capture": true}}'),
      '__proto__: cannot be the name of a field',
    ],
  ])('cannot be %s', (_name, input, message) => {
    expect(refusal(parseCreate, input)).toBe(message);
  });

  it('may be of a class, with what JSON makes of it', () => {
    class Order {
      readonly amount = { toJSON: () => amount };
      readonly confirmation = confirmation;
      readonly description = undefined;

      describe(): string {
        return 'an order';
      }
    }
    expect(parseCreate(new Order())).toEqual({ amount, confirmation });
  });

  it("is copied: later changes of the caller's object have no effect", () => {
    const input = { amount: { ...amount }, confirmation };
    const request = parseCreate(input);
    input.amount.value = '1.00';
    expect(request.amount.value).toBe('100.00');
  });
});

describe('another request', () => {
  const refund = { payment_id: 'svc-1', amount };
  const webhook = { event: 'payment.succeeded', url: 'https://shop.example/webhooks/payments' };
  const urlRule = 'must be an https address on port 443 or 8443 of at most 2048 characters';
  const momentRule = 'must be an ISO 8601 timestamp with its time zone, e.g. "2030-01-31T12:00:00.000Z"';
  const idRule = "must be the service's id of a payment: 1 to 64 letters, digits, - and _";

  const shapes = {
    capture: { read: reading(CapturePaymentRequestShape), whole: { amount, airline } },
    refund: {
      read: reading(CreateRefundRequestShape),
      whole: { ...refund, description: 'x'.repeat(250), metadata: entries(16) },
    },
    webhook: { read: reading(CreateWebhookRequestShape), whole: webhook },
    'payment filter': {
      read: reading(PaymentListFilterShape),
      whole: {
        'created_at.gte': '2030-01-31T12:00:00.000Z',
        'created_at.gt': '2030-01-31T12:00:00Z',
        'created_at.lte': '2030-01-31T12:00:00.000+03:00',
        'created_at.lt': '2030-01-31T12:00Z',
        'captured_at.gte': '2030-01-31T12:00:00.000Z',
        'captured_at.gt': '2030-01-31T12:00:00.000Z',
        'captured_at.lte': '2030-01-31T12:00:00.000Z',
        'captured_at.lt': '2030-01-31T12:00:00.000Z',
        status: 'succeeded',
        payment_method: 'bank_card',
        limit: 100,
        cursor: 'next',
      },
    },
    'refund filter': {
      read: reading(RefundListFilterShape),
      whole: { payment_id: 'svc-1', status: 'succeeded', limit: 1, cursor: 'next' },
    },
  };
  type ShapeName = keyof typeof shapes;

  it.each<[ShapeName]>([['capture'], ['refund'], ['webhook'], ['payment filter'], ['refund filter']])(
    'that is a whole %s is accepted unchanged',
    (shape) => {
      const { read, whole } = shapes[shape];
      expect(read(whole)).toEqual(whole);
    },
  );

  it.each<[ShapeName, object, string]>([
    ['capture', { amount: '1.00' }, 'amount: must be an amount: { value, currency }'],
    ['capture', { amount: { value: '1', currency: 'RUB' } }, `amount.value: ${amountRule}`],
    ['capture', { airline: {} }, `airline.ticket_number: ${ticketRule}`],
    [
      'capture',
      { airline: { ...airline, legs: [{ ...leg, departure_date: 'x' }] } },
      `airline.legs[0].departure_date: ${dateRule}`,
    ],
    ['capture', { sum: 1 }, `sum: ${stray}`],
    ['refund', { payment_id: undefined }, `payment_id: ${idRule}`],
    ['refund', { payment_id: 'a/b' }, `payment_id: ${idRule}`],
    ['refund', { payment_id: 'x'.repeat(65) }, `payment_id: ${idRule}`],
    ['refund', { amount: undefined }, 'amount: must be an amount: { value, currency }'],
    ['refund', { amount: { value: '0.00', currency: 'RUB' } }, `amount.value: ${amountRule}`],
    ['refund', { description: 'x'.repeat(251) }, 'description: must be a string of at most 250 characters'],
    ['refund', { metadata: entries(17) }, `metadata: ${metadataRule}`],
    ['refund', { reason: 'x' }, `reason: ${stray}`],
    [
      'webhook',
      { event: 'payment.pending' },
      'event: must be one of payment.waiting_for_capture, payment.succeeded, payment.canceled, refund.succeeded',
    ],
    [
      'webhook',
      { event: undefined },
      'event: must be one of payment.waiting_for_capture, payment.succeeded, payment.canceled, refund.succeeded',
    ],
    ['webhook', { url: 'http://shop.example/' }, `url: ${urlRule}`],
    ['webhook', { url: 'https://shop.example:8080/' }, `url: ${urlRule}`],
    ['webhook', { url: 'https://user:password@shop.example/' }, `url: ${urlRule}`],
    ['webhook', { url: 'shop.example' }, `url: ${urlRule}`],
    ['webhook', { url: undefined }, `url: ${urlRule}`],
    ['webhook', { url: `https://shop.example/${'x'.repeat(2048 - 20)}` }, `url: ${urlRule}`],
    ['webhook', { events: [] }, `events: ${stray}`],
    ['payment filter', { 'created_at.gte': '2030-01-31' }, `created_at.gte: ${momentRule}`],
    ['payment filter', { 'created_at.gt': '2030-02-30T12:00:00Z' }, `created_at.gt: ${momentRule}`],
    ['payment filter', { 'created_at.lte': '2030-01-31T12:00:00' }, `created_at.lte: ${momentRule}`],
    ['payment filter', { 'created_at.lt': '2030-01-31T25:00:00Z' }, `created_at.lt: ${momentRule}`],
    ['payment filter', { 'captured_at.gte': 7 }, `captured_at.gte: ${momentRule}`],
    ['payment filter', { 'captured_at.gt': '' }, `captured_at.gt: ${momentRule}`],
    ['payment filter', { 'captured_at.lte': null }, `captured_at.lte: ${momentRule}`],
    ['payment filter', { 'captured_at.lt': 'yesterday' }, `captured_at.lt: ${momentRule}`],
    ['payment filter', { created_at: '2030-01-31T12:00:00Z' }, `created_at: ${stray}`],
    [
      'payment filter',
      { status: 'paid' },
      'status: must be one of pending, waiting_for_capture, succeeded, canceled',
    ],
    [
      'payment filter',
      { payment_method: '' },
      'payment_method: must be a payment method type, e.g. bank_card',
    ],
    ['payment filter', { limit: 0 }, 'limit: must be a whole number from 1 to 100'],
    ['payment filter', { limit: 101 }, 'limit: must be a whole number from 1 to 100'],
    ['payment filter', { limit: '10' }, 'limit: must be a whole number from 1 to 100'],
    ['payment filter', { cursor: '' }, 'cursor: must be the nextCursor of a page, a string'],
    ['refund filter', { payment_id: '' }, `payment_id: ${idRule}`],
    ['refund filter', { limit: 1.5 }, 'limit: must be a whole number from 1 to 100'],
    ['refund filter', { status: 'paid' }, 'status: must be one of pending, succeeded, canceled'],
  ])('that is a %s with %j is refused', (shape, fields, message) => {
    const { read, whole } = shapes[shape];
    expect(refusal(read, { ...whole, ...fields })).toBe(message);
  });

  it.each([
    'https://shop.example/hook',
    'https://shop.example:443/hook',
    'https://shop.example:8443/hook',
    'https://203.0.113.7/hook',
    'http://127.0.0.1:3000/hook',
    'http://localhost:3000/hook',
    'https://[::1]:9443/hook',
  ])('may have notifications sent to %s', (url) => {
    expect(parseRequest(CreateWebhookRequestShape, { ...webhook, url })).toEqual({ ...webhook, url });
  });
});
