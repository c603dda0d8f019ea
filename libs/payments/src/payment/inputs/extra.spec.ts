import { documentedProfile, type ServiceProfile } from '../../api/service-profile.js';
import { yookassaProfile } from '../../api/yookassa-profile.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { createBody } from '../../operations/request-body.js';
import { parseRefundInput } from '../refunds/refund.input.js';
import { parseCreateInput, type CreatePaymentInput } from './create-payment.input.js';

const CARD = '5555555555554477';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
const KEY = 'live_Zk3vErYsEcReTkEy0123456789abcdefghij';
const input = {
  order: { reference: 'A-1' },
  amount: { value: '5000.00', currency: 'RUB' as const },
  returnUrl: 'https://shop.example/return',
};

const created = (extra: unknown, fields: object = {}, profile: ServiceProfile = yookassaProfile) => {
  // What a JavaScript caller may pass, whatever the types say.
  const more: object = { ...fields, extra };
  const given: CreatePaymentInput = Object.assign({}, input, more);
  return parseCreateInput(given, { profile });
};
const refunded = (extra: Record<string, unknown>) =>
  parseRefundInput({ refundKey: 'r-1', extra }, yookassaProfile);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof PaymentInputError) return error.message;
    throw error;
  }
  return 'taken';
}

/** An object this deep. */
const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) });

describe('extra', () => {
  it.each([yookassaProfile, documentedProfile])(
    'takes what the module does not know, with each profile',
    (profile) => {
      const extra = {
        transfers: [{ account_id: '123456', amount: { value: '5000.00', currency: 'RUB' } }],
        deal: { id: 'dl-285e5ee7-0022-5000-8000-01516a44b147', settlements: [] },
        recipient: { gateway_id: '1234567' },
        client_ip: '203.0.113.7',
      };
      expect(created(extra, {}, profile).extra).toEqual(extra);
    },
  );

  it("takes the service's own numbers that happen to pass as a card's", () => {
    const extra = {
      receiver: { type: 'digital_wallet', account_number: CARD },
      payment_method_data: { type: 'another_certificate', articles: [{ tru_code: `${CARD}.1` }] },
    };
    expect(created(extra).extra).toEqual(extra);
    const receiver = { type: 'mobile_balance', phone: CARD };
    expect(created({ receiver }).extra).toEqual({ receiver });
    expect(refusal(() => created({ receiver: { type: 'digital_wallet', note: CARD } }))).toContain(
      'extra.receiver.note: looks like a card number',
    );
  });

  it.each(['amount', 'capture', 'confirmation', 'payment_method_id', 'save_payment_method', 'receipt'])(
    'refuses %s by name',
    (name) => {
      expect(refusal(() => created({ [name]: null }))).toContain(`extra.${name}: is the module's own: pass `);
    },
  );

  it('refuses every field that a create writes itself', () => {
    const intent = created(undefined, {
      description: 'Tea',
      merchantCustomerId: 'buyer-7',
      savePaymentMethod: true,
      metadata: { size: 'XL' },
      receipt: {
        customer: { email: 'anna@buyer.example' },
        items: [{ description: 'Tea', amount: input.amount, quantity: 1, vatCode: 1 }],
      },
    });
    const sent = { ...intent.sent, airline: { ticket_number: '421' } };
    const paying = { ...intent, sent, paymentMethodId: 'pm-1' };
    const { body } = createBody(paying, 'payment-1', yookassaProfile);
    const names = Object.keys(JSON.parse(body));
    expect(names).toHaveLength(10);
    for (const name of names) expect(refusal(() => created({ [name]: 1 }))).toContain("the module's own");
  });

  it('refuses the payment of a refund, and takes its sources', () => {
    expect(refusal(() => refunded({ payment_id: 'svc-1' }))).toBe(
      "extra.payment_id: is the module's own: it is the first argument",
    );
    const sources = [{ account_id: '123456', amount: { value: '10.00', currency: 'RUB' as const } }];
    expect(refunded({ sources }).extra).toEqual({ sources });
  });

  it.each<[object, object, string]>([
    [
      { method: 'bank_card' },
      { type: 'sbp' },
      "extra.payment_method_data.type: is the module's own: pass method",
    ],
    [{}, { type: 'yoo_money' }, "extra.payment_method_data.type: is the module's own: pass method"],
    [{}, { type: 'sbp' }, "extra.payment_method_data.type: is the module's own: pass method"],
    [{}, { articles: [] }, 'extra.payment_method_data.type: is required without method'],
    [
      { method: 'wallet' },
      { phone: '79001234567' },
      "extra.payment_method_data.phone: is the module's own: pass methodData",
    ],
    [
      { paymentMethodId: 'pm-1', returnUrl: undefined },
      { type: 'new_pay' },
      'extra.payment_method_data: must be left out beside paymentMethodId',
    ],
    [{ method: 'wallet' }, { card: {} }, 'extra.payment_method_data.card: is the name of card data'],
    [
      { method: 'wallet' },
      { payment_method_token: 'x' },
      'extra.payment_method_data.payment_method_token: is the name of a token',
    ],
    [{ method: 'wallet' }, { note: 'x' }, 'taken'],
    [{}, { type: 'new_pay', phone: '79001234567' }, 'taken'],
  ])('beside %j, with the method data %j: %s', (fields, data, message) => {
    expect(refusal(() => created({ payment_method_data: data }, fields))).toContain(message);
  });

  it.each<[string, unknown, string]>([
    ['a card number', { note: { text: `by ${CARD}` } }, 'extra.note.text: looks like a card number'],
    ['a card number in groups', { notes: ['a', '5555 5555 5555 4477'] }, 'extra.notes[1]: looks like'],
    ['a card number as a number', { a: [[{ b: Number(CARD) }]] }, 'extra.a[0][0].b: looks like'],
    ['a card number as a name', { a: { [`x${CARD}`]: 1 } }, 'extra.a.?: is called by what looks like'],
    ['a CSC', { a: [{ csc: '123' }] }, "extra.a[0].csc: is the name of a card's security code"],
    ['a CVV2', { 'card-CVV2': '123' }, 'card'],
    ['a cvc', { a: { cvc: 1 } }, 'extra.a.cvc: is the name of'],
    ['a security code', { securityCode: 1 }, 'extra.securityCode: is the name of'],
    ['a card', { a: { card: { number: '4' } } }, 'extra.a.card: is the name of card data'],
    ['a payment token', { deal: { payment_token: 'x' } }, 'extra.deal.payment_token: is the name of a token'],
    ['an access token', { a: [{ accessToken: 'x' }] }, 'extra.a[0].accessToken: is the name of a token'],
    ['a secret', { client_secret: 'x' }, 'extra.client_secret: is the name of a secret'],
    ['a JSON web token', { a: JWT }, 'extra.a: looks like a token'],
    ['a secret key', { a: [KEY] }, 'extra.a[0]: looks like a token'],
    ["a bearer's token", { a: 'Bearer 7f9a' }, 'extra.a: looks like a token'],
  ])('refuses %s at any depth, without its value', (_name, extra, message) => {
    const said = refusal(() => created(extra));
    expect(said).toContain(message);
    expect(said).not.toMatch(/5555|eyJ|Zk3v|7f9a/);
    expect(said).toContain('what is passed here is stored');
  });

  it.each([
    [
      "a card's security code",
      'cvv_code cvc_value CVV2-number csc_1 cid ｃｖｖ card_code card_security security_number card_verification verificationNumber pin PIN-code card_pin pin_block cav2',
    ],
    [
      'card data',
      'holder card_holder_name cardholders name_on_card holder_name card_name cc_number ccnum creditCard debit_card_number card_no card_num cardDetails card_expiry bank_card fpan pan_number account_pan primary_account_number track2_data magstripe emv_data exp_month',
    ],
    ['a token', 'token_value tokenized cryptogram_packet jwt apple_pay_data session_id bearer'],
    [
      'a secret',
      'secret_2 password_hash passwd pwd pass passphrase private_key_pem access_key api_keys authorization_header basic_auth credentials client_secret_post',
    ],
  ])('refuses %s, however its name is spelt', (what, names) => {
    const refused = (name: string) =>
      refusal(() => created({ a: { [name]: 'x' } })).includes(`the name of ${what}`);
    expect(names.split(' ').filter((name) => !refused(name))).toEqual([]);
  });

  it('takes the names of the service’s own fields', () => {
    const names =
      'account_id platform_fee_amount status description type account_number bic bank_account digital_wallet mobile_balance phone ' +
      'article_number tru_code article_code article_name quantity price basket_id payment_period payment_document_id service_id ' +
      'payment_purpose recipient kpp gateway_id deal settlements client_ip statements sources passengers shopping';
    const taken = (name: string) => refusal(() => created({ transfers: { [name]: 'x' } })) === 'taken';
    expect(names.split(' ').filter((name) => !taken(name))).toEqual([]);
  });

  it.each([
    '5555.5555.5555.4444',
    '5555/5555/5555/4444',
    '5555_5555_5555_4444',
    '5555  5555  5555  4444',
    '5555\n5555\r\n5555\t4444',
    '5555 - 5555 - 5555 - 4444',
    '5555\u200b5555\u200b5555\u200b4444',
    '55\u00ad555555\u20605555\ufeff4444',
    '５５５５５５５５５５５５４４４４',
    '５５５５．５５５５．５５５５．４４４４',
    'x5555.5555.5555.4444y',
    '5555–5555–5555–4444',
    '3782.822463.10005',
    '3782  822463  10005',
    '2200/1234/5678/9019',
    '4111.2222.5555.5555.5555.4444',
  ])('refuses the card number %j, whatever stands between its groups', (text) => {
    expect(refusal(() => created({ a: { note: `by ${text}` } }))).toContain(
      'extra.a.note: looks like a card number',
    );
  });

  it.each([
    ['a time', '2026-11-22 10:15:30.123'],
    ['several times', '2026-11-22 10:15:30.123, 2026-11-23 10:15:30.123'],
    ['a phone', '+7 (900) 123-45-67'],
    ['two phones', '+7 (900) 123-45-67, +7 (900) 765-43-21'],
    ['a sum', '1 234 567,89'],
    ['years that pass as a card number by chance', '2020/2021, 2021/2026'],
    ['a UUID', '01a2058f-135d-73ce-a730-409cf2b807a7'],
    ['a UUID with a card number in it', '01a2058f-5555-5555-5555-4444f2b807a7'],
    ['an IBAN', 'DE89 3704 0044 0532 0130 00'],
    ['an account', '40817810099910004312'],
    ['a fiscal number', '9960440301234567'],
    ['a fiscal number in groups', '9960/4403/0123/4567'],
    ['twelve digits in groups', '5555.5555.5555'],
    ['an address', '203.0.113.7'],
    ['words between the groups', '5555 and 5555 and 5555 and 4444'],
    ['long gaps', '5555 .. 5555 .. 5555 .. 4444'],
  ])('takes %s', (_name, text) => {
    expect(refusal(() => created({ a: { note: text } }))).toBe('taken');
  });

  it('is bounded in size and depth, and an object', () => {
    const rule = 'extra: must be an object of at most 16384 bytes';
    expect(refusal(() => created({ a: 'й'.repeat(8_000) }))).toBe('taken');
    expect(refusal(() => created({ a: 'й'.repeat(8_200) }))).toContain(rule);
    expect(refusal(() => created([]))).toContain(rule);
    expect(refusal(() => created('transfers'))).toContain(rule);
    expect(refusal(() => created(deep(10)))).toBe('taken');
    expect(refusal(() => created(deep(11)))).toContain('is deeper than 10 levels');
  });
});
