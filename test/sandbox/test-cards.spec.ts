import { testCards, type TestCard } from '@holdfast/sandbox';
import { good, page, submit, textOf } from './buyer-browser.js';
import { pending, started } from './support.js';

/** Reasons of a cancellation that a bank card can cause by itself. */
const reasons = [
  '3d_secure_failed',
  'call_issuer',
  'card_expired',
  'country_forbidden',
  'fraud_suspected',
  'general_decline',
  'identification_required',
  'insufficient_funds',
  'internal_timeout',
  'invalid_card_number',
  'invalid_csc',
  'issuer_unavailable',
  'payment_method_limit_exceeded',
  'payment_method_restricted',
  'permission_revoked',
];

/** First digits that belong to a network. */
const ranges: Readonly<Record<string, RegExp>> = {
  Mir: /^220[0-4]/,
  Visa: /^4/,
  MasterCard: /^5[1-5]/,
  UnionPay: /^62/,
  JCB: /^35(2[89]|[3-8]\d)/,
  AmericanExpress: /^3[47]/,
};

const pays = ({ failure }: TestCard) => failure === null;

/** One of them must not be printed completely, and no test's name does so. */
const named = testCards.map((card) => ({ ...card, name: `${card.cardType} *${card.number.slice(-4)}` }));

describe('the test cards', () => {
  it.each(named)('$name is a number of its network with a right check digit', (card) => {
    expect(card.number).toMatch(ranges[card.cardType] ?? /nothing/);
    expect(card.issuerCountry).toMatch(/^[A-Z]{2}$/);
    expect(card.number).toHaveLength(card.cardType === 'AmericanExpress' ? 15 : 16);
    const sum = Array.from(card.number)
      .toReversed()
      .reduce((total, digit, index) => {
        const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
        return total + (doubled > 9 ? doubled - 9 : doubled);
      }, 0);
    expect(sum % 10).toBe(0);
  });

  it('have one for each reason a card payment fails with', () => {
    expect(testCards.flatMap(({ failure }) => failure ?? []).toSorted()).toEqual(reasons);
  });

  it('have one that pays for each network', () => {
    const networks = new Set(testCards.filter(pays).map(({ cardType }) => cardType));
    expect([...networks].toSorted()).toEqual(Object.keys(ranges).toSorted());
  });

  it('can be distinguished by what is stored of them', () => {
    const kept = testCards.map(({ number }) => number.slice(0, 6) + number.slice(-4));
    expect(new Set(kept).size).toBe(testCards.length);
  });

  it('are all in the table on the page', async () => {
    const sandbox = await started();
    const { text } = await page(sandbox, await pending(sandbox));
    for (const { number } of testCards) {
      expect(text).toContain(number.replace(/(.{4})(?=.)/g, '$1 '));
    }
  });

  it.each(named.filter(pays))('$name pays and shows its product and issuer', async (card) => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await submit(sandbox, `${id}/pay`, { ...good, number: card.number });
    if (card.asks3ds) await submit(sandbox, `${id}/3ds`, { code: '123456' });
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'waiting_for_capture',
      payment_method: {
        type: 'bank_card',
        title: `Bank card *${card.number.slice(-4)}`,
        card: {
          first6: card.number.slice(0, 6),
          last4: card.number.slice(-4),
          card_type: card.cardType,
          card_product: card.product,
          issuer_country: card.issuerCountry,
          issuer_name: card.issuerName,
        },
      },
    });
  });

  it.each(named.filter((card) => !pays(card)))(
    '$name fails with $failure, in words of its own, and allows another attempt',
    async ({ number, failure, asks3ds }) => {
      const sandbox = await started();
      const id = await pending(sandbox);
      await submit(sandbox, `${id}/pay`, { ...good, number });
      if (asks3ds) await submit(sandbox, `${id}/3ds`, { code: '123456' });
      expect(sandbox.payments.get(id).status).toBe('pending');
      const words = textOf((await page(sandbox, id)).text, 'payment-error');
      expect(words).toContain('You can try again');
      expect(words).not.toContain('The payment failed.');
      await submit(sandbox, `${id}/cancel`);
      expect(sandbox.payments.get(id).cancellation_details?.reason).toBe(failure);
    },
  );
});
