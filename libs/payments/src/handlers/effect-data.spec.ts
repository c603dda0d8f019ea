import { PaymentInputError } from '../common/payments.errors.js';
import { effectJson } from './effect-data.js';

class Order {
  readonly reference = 'A-1042';
}
const ring: Record<string, unknown> = {};
ring['again'] = ring;

describe("an effect's data", () => {
  it('is the JSON that its method gets', () => {
    const data = { to: 'anna@shop.example', lines: [{ sum: 12.5, gift: false }, null], note: undefined };
    expect(JSON.parse(effectJson(data))).toEqual({
      to: 'anna@shop.example',
      lines: [{ sum: 12.5, gift: false }, null],
    });
    expect(effectJson({ text: 'я'.repeat(8_186) })).toHaveLength(8_186 + 11);
  });

  it.each([
    ['no object', 'A-1042', 'data', 'must be an object'],
    ['nothing', null, 'data', 'must be an object'],
    ['an array', ['A-1042'], 'data', 'must be an object'],
    ['a Date', { order: { paidAt: new Date() } }, 'data.order.paidAt', 'must be JSON'],
    ['an object of a class', { order: new Order() }, 'data.order', 'must be JSON'],
    ['an object of a class itself', new Order(), 'data', 'must be JSON'],
    ['a map', { lines: new Map() }, 'data.lines', 'must be JSON'],
    ['a sum that is no number', { sum: Number.NaN }, 'data.sum', 'must be JSON'],
    ['a bigint', { sum: 12n }, 'data.sum', 'must be JSON'],
    ['a hole in an array', { lines: [1, undefined] }, 'data.lines[1]', 'must be JSON'],
    ['a function', { next: () => null }, 'data.next', 'must be JSON'],
    ['itself', ring, `data${'.again'.repeat(11)}`, 'deeper than 10 levels'],
    ['more than it may', { text: 'я'.repeat(8_187) }, 'data', 'at most 16384 bytes'],
    ['a card number', { note: '5555 5555 5555 4444' }, 'data.note', 'looks like a card number'],
    ['a secret', { mailer: { password: 'x' } }, 'data.mailer.password', 'is the name of a secret'],
  ])('may not be or hold %s', (_what, data, field, rule) => {
    const refused = () => effectJson(data);
    expect(refused).toThrow(PaymentInputError);
    expect(refused).toThrow(`${field}: `);
    expect(refused).toThrow(rule);
  });
});
