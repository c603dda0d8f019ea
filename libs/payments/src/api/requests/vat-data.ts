import type { Amount } from '../../common/money.js';
import { Anything, Given, Nested, OneOf, type Shape } from '../../common/validation.js';
import { IsAmount } from './amount.js';

const vatRates = ['5', '7', '10', '20', '22'] as const;

class CalculatedVatShape {
  @OneOf(['calculated'])
  readonly type!: 'calculated';

  /** In percent: 22 took the place of 20 on 1 January 2026. */
  @OneOf(vatRates)
  readonly rate!: (typeof vatRates)[number];

  /** The VAT within the payment's amount. */
  @IsAmount()
  readonly amount!: Amount;
}

class MixedVatShape {
  @OneOf(['mixed'])
  readonly type!: 'mixed';

  /** The VAT within the payment's amount. */
  @IsAmount()
  readonly amount!: Amount;
}

class UntaxedVatShape {
  @OneOf(['untaxed'])
  readonly type!: 'untaxed';
}

/** Stands for an unknown type: that is its fault, not the fields beside it. */
class UnknownVatShape {
  @OneOf(['calculated', 'mixed', 'untaxed'])
  readonly type!: string;

  @Given()
  @Anything()
  readonly rate?: unknown;

  @Given()
  @Anything()
  readonly amount?: unknown;
}

/** The VAT of a payment by a company: at one rate, at several, or none. */
export type VatData = Readonly<CalculatedVatShape> | Readonly<MixedVatShape> | Readonly<UntaxedVatShape>;

const shapes = new Map<unknown, Shape>([
  ['calculated', CalculatedVatShape],
  ['mixed', MixedVatShape],
  ['untaxed', UntaxedVatShape],
]);

/** For the property that holds one. */
export const IsVatData = (): PropertyDecorator =>
  Nested(({ type }) => shapes.get(type) ?? UnknownVatShape, 'must be { type, rate?, amount? }');
