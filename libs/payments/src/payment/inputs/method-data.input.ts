import { IsPaymentPurpose, IsPhone } from '../../api/requests/rules.js';
import { IsVatData, type VatData } from '../../api/requests/vat-data.js';
import { Given } from '../../common/validation.js';
import { AreArticleInputs, articleToWire, type ArticleInput } from './article.input.js';

export class MethodDataShape {
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

/** The same with the service's names. */
export function methodDataToWire({ phone, paymentPurpose, vatData, articles }: MethodData) {
  return {
    ...(phone !== undefined && { phone }),
    ...(paymentPurpose !== undefined && { payment_purpose: paymentPurpose }),
    ...(vatData !== undefined && { vat_data: vatData }),
    ...(articles !== undefined && { articles: articles.map(articleToWire) }),
  };
}
