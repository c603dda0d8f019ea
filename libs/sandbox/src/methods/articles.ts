import { digits } from '../common/digits.js';
import type { Fields } from '../common/fields.js';
import { sumMinor, wireAmount } from '../common/money.js';
import {
  amountMinor,
  fields,
  integer,
  matching,
  metadata,
  optionalList,
  optionalText,
  text,
} from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';

/** What may be bought with a certificate, on the page of the service. */
export interface Article {
  readonly number: number;
  /** Of the catalogue of technical means of rehabilitation. */
  readonly truCode: string;
  readonly code: string | null;
  readonly quantity: number;
  /** Of one. */
  readonly priceMinor: number;
}

/** A number is one of these. */
const MOST = 999;
const LONGEST = { name: 128, code: 128 };
const MOST_PIECES = 2 ** 31 - 1;

/** Reads `articles`; `mostMinor`: what they may cost together (assumed). */
export function parseArticles(value: unknown, parameter: string, mostMinor: number): readonly Article[] {
  const articles = optionalList(value, MOST, parameter, parseArticle);
  if (totalMinor(articles) > mostMinor) throw invalidRequest('Are more than the payment', parameter);
  return articles;
}

function parseArticle(value: unknown, at: string): Article {
  const given = fields(value, at);
  text(given['article_name'], LONGEST.name, `${at}.article_name`);
  metadata(given['metadata'], `${at}.metadata`);
  return {
    number: integer(given['article_number'], 1, MOST, `${at}.article_number`),
    truCode: truCodeIn(given['tru_code'], `${at}.tru_code`),
    code: optionalText(given['article_code'], LONGEST.code, `${at}.article_code`),
    quantity: integer(given['quantity'], 1, MOST_PIECES, `${at}.quantity`),
    priceMinor: amountMinor(given['price'], `${at}.price`),
  };
}

/** What the buyer's certificates pay for: all of it (assumed). Answers have neither names nor prices. */
export function approved(articles: readonly Article[]): Fields {
  if (articles.length === 0) return {};
  return {
    electronic_certificate: { amount: wireAmount(totalMinor(articles)), basket_id: digits(24) },
    articles: articles.map(({ number, truCode, code, quantity, priceMinor }) => ({
      article_number: number,
      tru_code: truCode,
      ...(code !== null && { article_code: code }),
      certificates: [
        {
          certificate_id: digits(20),
          tru_quantity: quantity,
          available_compensation: wireAmount(priceMinor),
          applied_compensation: wireAmount(priceMinor),
        },
      ],
    })),
  };
}

/** What of a basket a refund gives back. */
export interface ReturnedArticle {
  readonly number: number;
  /** Its number in the payment. */
  readonly paidNumber: number;
  readonly truCode: string;
  readonly quantity: number;
}

export function parseReturnedArticles(value: unknown, parameter: string): readonly ReturnedArticle[] {
  return optionalList(value, MOST, parameter, (article, at) => {
    const given = fields(article, at);
    return {
      number: integer(given['article_number'], 1, MOST, `${at}.article_number`),
      paidNumber: integer(given['payment_article_number'], 1, MOST, `${at}.payment_article_number`),
      truCode: truCodeIn(given['tru_code'], `${at}.tru_code`),
      quantity: integer(given['quantity'], 1, MOST_PIECES, `${at}.quantity`),
    };
  });
}

/** Reads `electronic_certificate`, a basket that the payment system has approved already. */
export function parseBasket(value: unknown, at: string, mostMinor: number): Fields {
  const { amount, basket_id: id } = fields(value, at);
  if (amountMinor(amount, `${at}.amount`) > mostMinor)
    throw invalidRequest('Is more than what is paid', `${at}.amount.value`);
  return { amount, basket_id: matching(id, /^\d{24}$/, 'Needs 24 digits', `${at}.basket_id`) };
}

function truCodeIn(value: unknown, at: string): string {
  return matching(value, /^(?=.{30}$)\d+\.\d+$/, 'Needs 30 characters', at);
}

function totalMinor(articles: readonly Article[]): number {
  return sumMinor(articles.map(({ quantity, priceMinor }) => ({ amountMinor: quantity * priceMinor })));
}
