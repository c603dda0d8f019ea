import * as fc from 'fast-check';
import { formatAmount, minorFromValue, parseAmount, valueFromMinor, type Amount } from './money.js';
import { PaymentInputError } from './payments.errors.js';

const LARGEST_MINOR = 999_999_999_999_999;

describe('the value of an amount', () => {
  it.each([
    ['0.00', 0],
    ['0.01', 1],
    ['0.10', 10],
    ['1.00', 100],
    ['10.00', 1_000],
    ['1234.50', 123_450],
    ['350000.00', 35_000_000],
    ['9999999999999.99', LARGEST_MINOR],
  ])('%s is %i minor units, there and back', (value, amountMinor) => {
    expect(minorFromValue(value)).toBe(amountMinor);
    expect(valueFromMinor(amountMinor)).toBe(value);
  });

  // Each of these times 100 is off by one in a float once truncated, or no whole number.
  it.each([
    ['0.29', 29],
    ['1.15', 115],
    ['8.20', 820],
    ['19.99', 1_999],
    ['4.35', 435],
    ['1.10', 110],
    ['64.10', 6_410],
    ['9007199254740.93', 900_719_925_474_093],
  ])('%s is exactly %i minor units', (value, amountMinor) => {
    expect(minorFromValue(value)).toBe(amountMinor);
  });

  it.each([
    '',
    '.',
    '10',
    '10.',
    '10.5',
    '10.500',
    '1000',
    '100000',
    '.50',
    '-1.00',
    '+1.00',
    '1e3.00',
    '1.0e',
    '0x1.00',
    ' 1.00',
    '1.00 ',
    '1.00\n',
    '\n1.00',
    '1 000.00',
    '1\u00a0000.00',
    '1,00',
    '1,000.00',
    '1_000.00',
    '1..00',
    '1.00.00',
    '٣.00',
    '1.٣٣',
    '１.00',
    '1.00 RUB',
    'NaN',
    'Infinity',
    '12345678901234.00',
    '00000000000001.00',
  ])('cannot be %j', (value) => {
    expect(minorFromValue(value)).toBeNull();
  });

  it('survives the round trip from every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LARGEST_MINOR }), (amountMinor) => {
        expect(minorFromValue(valueFromMinor(amountMinor))).toBe(amountMinor);
      }),
    );
  });

  it('is what whole-number arithmetic makes of its digits, never a rounded float', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999_999n }), fc.nat(99), (roubles, kopecks) => {
        const amountMinor = minorFromValue(`${roubles}.${String(kopecks).padStart(2, '0')}`);
        expect(Number.isSafeInteger(amountMinor)).toBe(true);
        expect(BigInt(amountMinor ?? -1)).toBe(roubles * 100n + BigInt(kopecks));
      }),
    );
  });

  it('is refused with one foreign character anywhere', () => {
    const foreign = fc.constantFrom('.', '-', '+', ' ', ',', 'e', '_', '\n', '\t', '\u0000', '٣', '１', '₽');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        foreign,
        fc.nat(20),
        (amountMinor, character, place) => {
          const value = valueFromMinor(amountMinor);
          const at = Math.min(place, value.length);
          expect(minorFromValue(`${value.slice(0, at)}${character}${value.slice(at)}`)).toBeNull();
        },
      ),
    );
  });
});

describe('minor units', () => {
  it.each([-1, 0.5, 10.000001, 2 ** 53, NaN, Infinity, -Infinity])('of %d are no amount', (amountMinor) => {
    expect(() => valueFromMinor(amountMinor)).toThrow(RangeError);
  });
});

describe('an amount', () => {
  it('is in roubles unless another currency is named', () => {
    expect(formatAmount(123_450)).toEqual({ value: '1234.50', currency: 'RUB' });
    expect(formatAmount(1, 'XTS')).toEqual({ value: '0.01', currency: 'XTS' });
  });

  it('returns its minor units', () => {
    expect(parseAmount({ value: '1234.50', currency: 'RUB' })).toBe(123_450);
    expect(parseAmount({ value: '0.00', currency: 'RUB' })).toBe(0);
  });

  it.each([
    [undefined, 'amount.value'],
    ['order.totalDue', 'order.totalDue.value'],
  ])('that is malformed in %s is an input error at %s', (field, path) => {
    const parse = () => parseAmount({ value: '10.5', currency: 'RUB' }, field);
    expect(parse).toThrow(PaymentInputError);
    expect(parse).toThrow(expect.objectContaining({ code: 'payment_input', field: path }));
    expect(parse).toThrow(/exactly two fractional digits/);
  });
});

it('an amount is in roubles, and the compiler refuses another currency', () => {
  // @ts-expect-error as JavaScript may have it
  const misspelt: Amount = { value: '1.00', currency: 'rub' };
  // What tells of the service's side alone may have any.
  const theirs: Amount<string> = formatAmount(100, 'XTS');
  const ours: Amount = formatAmount(100);
  expect([misspelt, theirs, ours].map((amount) => parseAmount(amount))).toEqual([100, 100, 100]);
});
