import type { Fields } from '../common/fields.js';
import type { Article, ReturnedArticle } from '../methods/articles.js';

/** `refund_method_data`: what of a certificate is given back. */
export interface CertificateReturn {
  readonly articles: readonly ReturnedArticle[];
  /** As the wire has it. */
  readonly wire: Fields;
}

/** Why a refund of these articles ends canceled; null: it goes on. `earlier`: what was given back before. */
export function returnFault(
  bought: readonly Article[],
  returned: readonly ReturnedArticle[],
  earlier: readonly ReturnedArticle[],
): string | null {
  for (const { paidNumber, truCode, quantity } of returned) {
    const article = bought.find(({ number }) => number === paidNumber);
    if (!article) return 'payment_article_number_not_found';
    if (article.truCode !== truCode) return 'payment_tru_code_not_found';
    if (quantity > article.quantity) return 'too_many_refunding_articles';
    if (quantity > article.quantity - piecesOf(paidNumber, earlier)) return 'some_articles_already_refunded';
  }
  return null;
}

function piecesOf(paidNumber: number, returned: readonly ReturnedArticle[]): number {
  return returned
    .filter((article) => article.paidNumber === paidNumber)
    .reduce((pieces, { quantity }) => pieces + quantity, 0);
}
