import { plainToInstance, Transform } from 'class-transformer';
import { IsEmail, IsInt, IsNotEmpty, Max, MaxLength, Min, validateSync } from 'class-validator';

export const maxQuantity = 10;

/** What the buyer types at checkout, untrusted. */
export class CheckoutForm {
  @Text()
  productSlug: string = '';

  @Text()
  @IsNotEmpty({ message: 'Please give your name, so that the parcel finds you.' })
  @MaxLength(100, { message: 'That name is longer than our labels: 100 characters at most.' })
  name: string = '';

  @Text()
  @IsEmail({}, { message: 'We need a working e-mail address, such as anna@example.com.' })
  email: string = '';

  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt({ message: quantityRule })
  @Min(1, { message: quantityRule })
  @Max(maxQuantity, { message: quantityRule })
  quantity: number = 1;
}

/** The first fault of each field, by the field's name. Empty if the form can be accepted. */
export type FormFaults = Partial<Record<keyof CheckoutForm, string>>;

export function parseCheckoutForm(body: unknown): { form: CheckoutForm; faults: FormFaults } {
  const fields: object = typeof body === 'object' && body !== null ? body : {};
  const form = plainToInstance(CheckoutForm, fields);
  const faults = validateSync(form).map(({ property, constraints }) => [
    property,
    Object.values(constraints ?? {}).at(-1) ?? 'Please check this.',
  ]);
  return { form, faults: Object.fromEntries(faults) };
}

/** A form can repeat a field, which arrives as a list: only text counts. */
function Text(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : ''));
}

function quantityRule(): string {
  return `Between 1 and ${maxQuantity}, please.`;
}
