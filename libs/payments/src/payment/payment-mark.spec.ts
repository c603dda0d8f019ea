import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { withoutCardNumbers } from '../api/without-card-numbers.js';
import { intentKeyOf } from './intent-key.js';
import { paymentMark, readPaymentMark, type MarkedPayment } from './payment-mark.js';
import { readRefundMark, refundMark } from './refunds/refund-mark.js';

/** Digits, what may separate them, what marks are made of themselves, and letters of any script. */
const text = (maxLength: number) =>
  fc.string({
    unit: fc.oneof(
      fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
      fc.constantFrom(' ', '-', '‐', '–', '—', '.', '~', '_', 'a', 'b'),
      fc.constantFrom('4111111111111111', '5555 5555 5555 4444', '~~', '🍵', 'Ж'),
    ),
    maxLength,
  });

const marked: fc.Arbitrary<MarkedPayment> = fc.record({
  tryNumber: fc.integer({ min: 1, max: 999 }),
  amountMinor: fc.integer({ min: 1, max: 100_000_000 }),
  totalDueMinor: fc.integer({ min: 1, max: 100_000_000 }),
  prepaidMinor: fc.integer({ min: 0, max: 100_000_000 }),
  capture: fc.boolean(),
  cardData: fc.boolean(),
  savePaymentMethod: fc.boolean(),
  receiptsAfter: fc.boolean(),
  method: fc.constantFrom(null, 'bank_card', 'electronic_certificate'),
  holdPolicy: fc.constantFrom(null, 'capture', 'cancel', 'flag'),
  receiptDigest: fc.constantFrom(null, 'A'.repeat(43)),
  paymentMethodId: fc.option(fc.oneof(fc.uuid(), text(10).filter(Boolean))),
  part: text(4),
  orderReference: text(12).filter(Boolean),
});

/** fast-check's records have no prototype. */
const plain = (said: object): object => ({ ...said });

// Plain comparisons in what runs thousands of times: an expect() of each would take longer than what is tested.
describe('a mark', () => {
  it('says what it was made of, is kept as it is whatever numbers it holds, and is nobody else’s', () => {
    const property = fc.property(marked, (said) => {
      const mark = paymentMark('store', said);
      return (
        withoutCardNumbers(mark) === mark &&
        isDeepStrictEqual(readPaymentMark('store', mark), plain(said)) &&
        readPaymentMark('another', mark) === null
      );
    });
    expect(fc.check(property, { numRuns: 2_000 }).counterexample).toBeNull();
  });

  it('of a refund likewise', () => {
    const payment = { intentKey: intentKeyOf('store', { reference: 'A-1' }, { part: '', tryNumber: 1 }) };
    const asked = fc.record({
      whole: fc.boolean(),
      receiptDigest: fc.constantFrom(null, 'A'.repeat(43)),
      refundKey: text(20).filter(Boolean),
    });
    const property = fc.property(asked, (said) => {
      const mark = refundMark(payment, said);
      return (
        withoutCardNumbers(mark) === mark &&
        isDeepStrictEqual(readRefundMark(payment, mark), plain(said)) &&
        readRefundMark({ intentKey: 'another' }, mark) === null
      );
    });
    expect(fc.check(property, { numRuns: 1_000 }).counterexample).toBeNull();
  });

  it('that has no room for all of it is still another one for each payment', () => {
    const [said] = fc.sample(marked, 1);
    if (said === undefined) throw new Error('There is no sample.');
    const long = (last: string) =>
      paymentMark('store', {
        ...said,
        orderReference: '~'.repeat(256) + last,
        part: '',
        paymentMethodId: null,
      });
    expect(long('a').length).toBeLessThan(100);
    expect(long('a')).toBe(long('a'));
    expect(long('a')).not.toBe(long('b'));
    expect(readPaymentMark('store', long('a'))).toBeNull();
  });

  it.each([null, 7, '', '.', 'nothing', '.1.1.c.1.1.0.....0..x'])('is not %j', (mark) => {
    expect(readPaymentMark('store', mark)).toBeNull();
  });
});
