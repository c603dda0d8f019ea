import type { Amount } from '../../common/money.js';
import { Given, IsText, Items, Rule } from '../../common/validation.js';
import { limits } from '../limits.js';
import { IsAmount } from './amount.js';
import { IsMetadata } from './rules.js';

const { articleNumberMax, articleTextLength, articlePieces, truCodeLength, metadataEntries } = limits;

const isWhole = (most: number) => (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;

export const IsArticleNumber = (): PropertyDecorator =>
  Rule(
    `must be its number among those of the payment, a whole number from 1 to ${articleNumberMax.value}`,
    isWhole(articleNumberMax.value),
  );

export const IsTruCode = (): PropertyDecorator =>
  Rule(
    `must be its code in the catalogue: two groups of digits with a dot between them, ${truCodeLength.value} characters together`,
    (value) => typeof value === 'string' && value.length === truCodeLength.value && /^\d+\.\d+$/.test(value),
  );

export const IsArticleText = (): PropertyDecorator => IsText(articleTextLength.value);

/** What has the same name for a host and for the service. */
export class ArticleBase {
  /** Pieces. */
  @Rule(`must be a whole number of pieces, 1 to ${articlePieces.value}`, isWhole(articlePieces.value))
  readonly quantity!: number;

  /** Of one piece. */
  @IsAmount()
  readonly price!: Amount;

  @Given()
  @IsMetadata(metadataEntries.value)
  readonly metadata?: Readonly<Record<string, string>>;
}

/** For the property that holds them. */
export const AreArticles = (shape: () => new () => object, fields: string): PropertyDecorator => {
  const items = Items(shape, articleNumberMax.value, fields);
  const some = Rule('needs at least one', (value) => Array.isArray(value) && value.length > 0);
  return (prototype, name) => {
    items(prototype, name);
    some(prototype, name);
  };
};

class ArticleRequestShape extends ArticleBase {
  /** Your own numbering, from 1. A refund names it by this number. */
  @IsArticleNumber()
  readonly article_number!: number;

  /** Its code in the catalogue of technical means of rehabilitation. */
  @IsTruCode()
  readonly tru_code!: string;

  /** Your own code of it. */
  @Given()
  @IsArticleText()
  readonly article_code?: string;

  @IsArticleText()
  readonly article_name!: string;
}

/** What may be bought with an electronic certificate. */
export type ArticleRequest = Readonly<ArticleRequestShape>;

/** For the property that holds them. */
export const AreArticleRequests = (): PropertyDecorator =>
  AreArticles(
    () => ArticleRequestShape,
    '{ article_number, tru_code, article_name, quantity, price, article_code?, metadata? }',
  );
