import {
  AreArticles,
  ArticleBase,
  IsArticleNumber,
  IsArticleText,
  IsTruCode,
  type ArticleRequest,
} from '../../api/requests/articles.js';
import { Given } from '../../common/validation.js';

class ArticleShape extends ArticleBase {
  /** Your own numbering within the payment, from 1. A refund names it by this number. */
  @IsArticleNumber()
  readonly number!: number;

  /** Its code in the catalogue of technical means of rehabilitation. */
  @IsTruCode()
  readonly truCode!: string;

  /** Your own code of it. */
  @Given()
  @IsArticleText()
  readonly code?: string;

  @IsArticleText()
  readonly name!: string;
}

/** What may be bought with an electronic certificate. */
export type ArticleInput = Readonly<ArticleShape>;

/** For the property that holds them. */
export const AreArticleInputs = (): PropertyDecorator =>
  AreArticles(() => ArticleShape, '{ number, truCode, name, quantity, price, code?, metadata? }');

/** The same with the service's names. */
export function articleToWire({
  number,
  truCode,
  code,
  name,
  quantity,
  price,
  metadata,
}: ArticleInput): ArticleRequest {
  return {
    article_number: number,
    tru_code: truCode,
    ...(code !== undefined && { article_code: code }),
    article_name: name,
    quantity,
    price,
    ...(metadata !== undefined && { metadata }),
  };
}
