import { mustBeLeft } from './goods-left.js';

const item = (description: string, value: string, quantity = 1) =>
  ({ description, amount: { value, currency: 'RUB' }, quantity, vatCode: 11 }) as const;
const named = [item('Cup', '10.00', 3), item('Spoon', '5.00')];
/** What a refund of these says once that is sold and those are returned; null: nothing. */
const fault = (items: typeof named, returned: typeof named = [], sold = named): string | null => {
  try {
    mustBeLeft({ items }, { named, sold, returned });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
};

describe('goods that a refund gives back', () => {
  it.each<[string, Parameters<typeof fault>]>([
    ['all of them', [named]],
    ['a part of them', [[item('Cup', '10.00', 2)], [item('Cup', '10.00')]]],
    ['a sum of them', [[item('Cup', '2.50', 3)], [item('Cup', '7.50', 3)]]],
    ['what the payment does not name', [[item('For the trouble', '3.00')]]],
    ['the other goods', [[item('Spoon', '5.00')], [item('Cup', '10.00', 3)]]],
  ])('may be %s', (_what, given) => {
    expect(fault(...given)).toBeNull();
  });

  it.each<[string, Parameters<typeof fault>, string]>([
    ['more of them than are left', [[item('Cup', '10.00', 3)], [item('Cup', '10.00')]], '20.00'],
    [
      'the same twice on one receipt',
      [[item('Cup', '10.00', 2), item('Cup', '11.00')], [item('Cup', '0.01')]],
      '29.99',
    ],
    ['what was not captured', [[item('Cup', '0.01')], [], [item('Spoon', '5.00')]], '0.00'],
  ])('may not be %s', (_what, given, left) => {
    expect(fault(...given)).toContain(
      `receipt.items[0]: gives back more than is left of “Cup”, ${left}: pass`,
    );
  });
});
