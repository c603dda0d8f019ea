import { minorFromValue } from '../../common/money.js';
import { Nested, OneOf, Rule } from '../../common/validation.js';

class AmountShape {
  @Rule(
    'must be a decimal string with exactly two fractional digits and above zero, e.g. "10.00"',
    (value) => typeof value === 'string' && (minorFromValue(value) ?? 0) > 0,
  )
  readonly value!: string;

  @OneOf(['RUB'], 'must be RUB')
  readonly currency!: 'RUB';
}

/** For the property that holds one. */
export const IsAmount = (): PropertyDecorator =>
  Nested(() => AmountShape, 'must be an amount: { value, currency }');
