import { methodFields, type MethodField } from '../../api/method-rules.js';
import type { OtherMethodData } from '../../api/requests/payment-method-data.js';
import { IsPaymentPurpose, IsPhone } from '../../api/requests/rules.js';
import { IsVatData, type VatData } from '../../api/requests/vat-data.js';
import { Given, Nested } from '../../common/validation.js';
import { AreArticleInputs, articleToWire, type ArticleInput } from './article.input.js';

class MethodDataShape {
  /** The buyer's: digits alone, the country first. By mobile balance, or SberPay with an external confirmation, it is required. */
  @Given()
  @IsPhone()
  readonly phone?: string;

  /** What a company pays for (SberBank Business): at most 210 characters. */
  @Given()
  @IsPaymentPurpose()
  readonly paymentPurpose?: string;

  /** The VAT of a company's payment (SberBank Business). */
  @Given()
  @IsVatData()
  readonly vatData?: VatData;

  /** What an electronic certificate may pay for. */
  @Given()
  @AreArticleInputs()
  readonly articles?: readonly ArticleInput[];
}

/** What a method needs besides its name. */
export type MethodData = Readonly<MethodDataShape>;

type Inputs = typeof methodFields;
type FieldOf<Name> = {
  [Field in MethodField]: Inputs[Field]['input'] extends Name ? Field : never;
}[MethodField];
/** What the service takes of each: of one that is not declared, nothing. */
type Sent = { readonly [Name in keyof MethodData]?: OtherMethodData[FieldOf<Name>] | undefined };

const fields = Object.entries(methodFields);

/** For the property that holds one. */
export const IsMethodData = (): PropertyDecorator =>
  Nested(() => MethodDataShape, `must be { ${fields.map(([, { input }]) => `${input}?`).join(', ')} }`);

/** The same with the service's names. */
export function methodDataToWire({ articles, ...others }: MethodData): Readonly<Record<string, unknown>> {
  const said = { ...others, articles: articles?.map(articleToWire) } satisfies Sent;
  const named = fields.map(([name, { input }]) => [name, said[input]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** The path of a field in the input, by its name at the service. */
export function methodFieldPath(field: string): string {
  const known = fields.find(([name]) => name === field);
  return `methodData.${known ? known[1].input : field}`;
}
