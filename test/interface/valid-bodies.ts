import * as fc from 'fast-check';

/** Bodies that the service interface allows, up to the limits of each field. */
export type Body = Readonly<Record<string, unknown>>;

/** Whether every optional field is present, or any of them may be missing. */
export type Presence = 'all' | 'any';

/** One character each: of every length in UTF-8 and UTF-16, invisible, or with a meaning in JSON or HTML. */
export const character = fc.constantFrom(
  ...Array.from('aZ7 é₽Яё字😀𝔸"\'\\<&%\n\t\u2028\u200d\uFE0F\u0301\uFEFF'),
);

const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: character, minLength, maxLength }) },
    { weight: 1, arbitrary: character.map((one) => one.repeat(maxLength)) },
    { weight: 1, arbitrary: character.map((one) => `${'x'.repeat(maxLength - 1)}${one}`) },
  );

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength, maxLength, size: 'max' });

const amount = (leastMinor: number, mostMinor: number): fc.Arbitrary<Body> =>
  fc
    .oneof(fc.integer({ min: leastMinor, max: mostMinor }), fc.constantFrom(leastMinor, mostMinor))
    .map((minor) => String(minor).padStart(3, '0'))
    .map((minor) => ({ value: `${minor.slice(0, -2)}.${minor.slice(-2)}`, currency: 'RUB' }));

/** The interface sets no limit; a number holds thirteen whole digits exactly. */
const anyAmount = amount(1, 999_999_999_999_999);
const cardAmount = amount(1_00, 350_000_00);

const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .webAuthority({ withPort: true, withIPv4: true, withIPv6: true, withUserInfo: true })
    .map((shop) => `http://${shop}/back`),
  fc.constantFrom(
    'http://localhost:3000/back',
    'http://my_shop:3000/back?order=7',
    'https://магазин.рф/назад?заказ=7#чек',
    'HTTPS://SHOP.EXAMPLE',
    `https://shop.example/${'x'.repeat(2048 - 21)}`,
  ),
);

const notificationUrl = fc
  .tuple(fc.domain(), fc.constantFrom('', ':443', ':8443'), fc.webPath())
  .map(([host, port, path]) => `https://${host}${port}${path}`);

const airport = fc.string({
  unit: fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')),
  minLength: 3,
  maxLength: 3,
});
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((moment) => moment.toISOString().slice(0, 10));

/** Thirteen to nineteen digits, the last of them the check digit. */
const cardNumber = digits(12, 18).map((payload) => {
  const sum = Array.from(payload, Number)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((total, digit) => total + (digit > 9 ? digit - 9 : digit), 0);
  return `${payload}${(10 - (sum % 10)) % 10}`;
});

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** `ids`: ids that the sandbox knows. `mostMinor`: the amount of the hold to capture. */
export function validBodies(
  presence: Presence,
  ids: { readonly payment: string; readonly savedWallet: string; readonly testCards: readonly string[] },
  mostMinor: number,
) {
  const record = (needed: Fields, optional: Fields = {}): fc.Arbitrary<Body> => {
    const fields: Fields = { ...optional, ...needed };
    return fc.record(fields, { requiredKeys: Object.keys(presence === 'all' ? fields : needed) });
  };
  const least = presence === 'all' ? 1 : 0;

  const metadata = fc.dictionary(
    // Two names that the library keeps out of every input: see `parseRequest`.
    text(1, 32).filter((key) => !['__proto__', 'constructor'].includes(key)),
    text(0, 512),
    { minKeys: least, maxKeys: presence === 'all' ? 1 : 16, size: 'max', noNullPrototype: true },
  );
  const passenger = record({ first_name: text(1, 64), last_name: text(1, 64) });
  const passengers = fc.oneof(
    { weight: 9, arbitrary: fc.array(passenger, { minLength: least, maxLength: 3 }) },
    {
      weight: least === 0 ? 1 : 0,
      arbitrary: passenger.map((one) => Array.from({ length: 500 }, () => one)),
    },
  );
  const leg = record({ departure_airport: airport, destination_airport: airport, departure_date: day });
  const legs = fc.array(leg, { minLength: least, maxLength: 4, size: 'max' });
  const ticket = { ticket_number: digits(1, 150) };
  const booking = { booking_reference: text(1, 20) };
  const airline = fc.oneof(
    record(ticket, { ...booking, passengers, legs }),
    record(booking, { ...ticket, passengers, legs }),
  );
  const card = record(
    {
      number: presence === 'all' ? fc.constantFrom(...ids.testCards) : cardNumber,
      expiry_month: fc.integer({ min: 1, max: 12 }).map((month) => String(month).padStart(2, '0')),
      expiry_year: fc.constantFrom('2099', '9999'),
    },
    { csc: digits(3, 4), cardholder: fc.constantFrom('ANNA PETROVA', 'Я'.repeat(64)) },
  );
  const confirmation = record(
    { type: fc.constant('redirect'), return_url: address },
    { enforce: fc.boolean() },
  );
  const capture = fc.boolean();

  return {
    'smart payment': record(
      { amount: anyAmount, confirmation },
      {
        capture,
        description: text(0, 128),
        metadata,
        save_payment_method: fc.boolean(),
        merchant_customer_id: text(1, 200),
      },
    ),
    'payment by bank card': record(
      {
        amount: cardAmount,
        confirmation,
        payment_method_data: record({ type: fc.constant('bank_card') }, { card }),
      },
      { capture, airline },
    ),
    'payment by wallet': record({
      amount: anyAmount,
      confirmation,
      payment_method_data: record({ type: fc.constant('wallet') }),
    }),
    'payment by cryptogram': record({
      amount: anyAmount,
      payment_method_data: record({
        type: fc.constant('wallet_pay'),
        payment_method_token: fc.oneof(text(1, 4_000), fc.constant('x'.repeat(20_000))),
      }),
    }),
    'payment by a saved wallet': record({
      amount: anyAmount,
      payment_method_id: fc.constant(ids.savedWallet),
    }),
    capture: record({}, { amount: amount(1, mostMinor), airline }),
    refund: record(
      { payment_id: fc.constant(ids.payment), amount: amount(1, 1_000_00) },
      { description: text(0, 250), metadata },
    ),
    webhook: record({
      event: fc.constantFrom(
        'payment.waiting_for_capture',
        'payment.succeeded',
        'payment.canceled',
        'refund.succeeded',
      ),
      url: notificationUrl,
    }),
  };
}
