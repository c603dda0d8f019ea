import { yookassaProfile } from '../../api/yookassa-profile.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { parseCreateInput, type CreatePaymentInput } from './create-payment.input.js';

const returnUrl = 'https://shop.example/return';
const input = { order: { reference: 'A-1' }, amount: { value: '5000.00', currency: 'RUB' as const } };
const amount = (value: string) => ({ amount: { value, currency: 'RUB' as const } });
const phone = { methodData: { phone: '79001234567' } };
const customer = { email: 'anna@buyer.example' };
const cup = { description: 'Cup', ...amount('5000.00'), quantity: 1, vatCode: 11 };
const addressRule = 'an http or https address on your side of at most 2048 characters';
const trunkRule = 'must begin with the country, not with the trunk prefix 8, e.g. "79001234567"';
const itemRule = 'must be an object: { description, amount, quantity, vatCode, … }';
const vatData = { type: 'untaxed' };
const cane = {
  number: 1,
  truCode: `${'1'.repeat(20)}.${'2'.repeat(9)}`,
  name: 'Cane',
  quantity: 1,
  price: { value: '40.00', currency: 'RUB' },
};
const certified = (changes: object) => ({
  method: 'electronic_certificate',
  returnUrl,
  methodData: { articles: [{ ...cane, ...changes }] },
});

const parsed = (fields: object) => {
  // What a JavaScript caller may pass, whatever the types say.
  const given: CreatePaymentInput = Object.assign({}, input, fields);
  return parseCreateInput(given, { profile: yookassaProfile });
};

function refusal(fields: object): string {
  try {
    parsed(fields);
  } catch (error) {
    if (error instanceof PaymentInputError) return error.message;
    throw error;
  }
  return 'taken';
}

describe('a create by a method of the public service', () => {
  it.each<[string, object]>([
    ['SBP', { method: 'sbp', returnUrl }],
    ['SBP by a code', { method: 'sbp', confirmation: { type: 'qr' } }],
    ['SberPay by a code', { method: 'bank_app_pay', confirmation: { type: 'qr', returnUrl } }],
    [
      'SberPay in its app',
      { method: 'bank_app_pay', confirmation: { type: 'mobile_application', returnUrl: 'shop://paid' } },
    ],
    ['SberPay by a push', { method: 'bank_app_pay', ...phone, confirmation: { type: 'external' } }],
    ['SberPay with a phone on its page', { method: 'bank_app_pay', ...phone, returnUrl }],
    [
      'mobile balance',
      { method: 'mobile_balance', ...phone, confirmation: { type: 'external', locale: 'en_US' } },
    ],
    ['cash', { method: 'cash', returnUrl }],
    // Of Bangladesh, Japan, Russia (one that is free to call), and one that is too short for the prefix.
    ...['8801712345678', '81312345678', '78001234567', '8900123456'].map((to): [string, object] => [
      `a receipt to ${to}`,
      { returnUrl, receipt: { customer: { phone: to }, items: [cup] } },
    ]),
    ['a held credit', { method: 'sber_loan', returnUrl, capture: false }],
    ['a company', { method: 'b2b_sberbank', returnUrl, methodData: { paymentPurpose: 'Tea', vatData } }],
    [
      'a company with its VAT',
      {
        method: 'b2b_sberbank',
        returnUrl,
        methodData: {
          paymentPurpose: 'Tea',
          vatData: { type: 'calculated', rate: '22', ...amount('10.00') },
        },
      },
    ],
    ['a widget', { confirmation: { type: 'embedded' } }],
    ['a widget for cards', { method: 'bank_card', confirmation: { type: 'embedded', locale: 'ru_RU' } }],
    ['a saved SBP', { method: 'sbp', returnUrl, savePaymentMethod: true }],
  ])('accepts %s', (_name, fields) => {
    expect(refusal(fields)).toBe('taken');
  });

  it.each<[object, string]>([
    [{ method: 'sbp', returnUrl, capture: false }, 'capture: SBP has no hold: pass capture: true'],
    [{ method: 'alfa_pay', returnUrl, capture: false }, 'capture: Alfa Pay has no hold: pass capture: true'],
    [
      { method: 'sbp', returnUrl, ...amount('700000.01') },
      'amount.value: must be 1.00 to 700000.00 roubles by SBP',
    ],
    [
      { method: 'sber_loan', returnUrl, ...amount('2999.99') },
      'amount.value: must be 3000.00 to 1500000.00 roubles by SberBank credit',
    ],
    [
      { method: 'cash', returnUrl, savePaymentMethod: true },
      'savePaymentMethod: must be left out: cash cannot be saved',
    ],
    [
      { method: 'sbp', confirmation: { type: 'external' } },
      'confirmation: its type must be redirect or qr by SBP',
    ],
    [
      { method: 'mobile_balance', ...phone, returnUrl },
      'returnUrl: must be left out: pass confirmation, and its type must be external by mobile balance',
    ],
    [
      { method: 'mobile_balance', ...phone },
      'confirmation: is required: its type must be external by mobile balance',
    ],
    [
      { method: 'mobile_balance', confirmation: { type: 'external' } },
      'methodData.phone: is required by mobile balance',
    ],
    [
      { method: 'bank_app_pay', confirmation: { type: 'external' } },
      'methodData.phone: is required by SberPay with an external confirmation',
    ],
    [{ method: 'sbp', returnUrl, ...phone }, 'methodData.phone: must be left out: SBP takes none'],
    [
      { method: 'bank_app_pay', returnUrl, methodData: { phone: '+79001234567' } },
      'methodData.phone: must be 4 to 15 digits with the country first and no +, e.g. "79001234567"',
    ],
    [
      { method: 'electronic_certificate', returnUrl },
      'methodData.articles: is required by electronic certificate',
    ],
    [
      certified({ number: 0 }),
      'methodData.articles[0].number: must be its number among those of the payment, a whole number from 1 to 999',
    ],
    [
      certified({ truCode: '1'.repeat(30) }),
      'methodData.articles[0].truCode: must be its code in the catalogue: two groups of digits with a dot between them, 30 characters together',
    ],
    [certified({ name: '' }), 'methodData.articles[0].name: must be a string of 1 to 128 characters'],
    [
      certified({ quantity: 1.5 }),
      'methodData.articles[0].quantity: must be a whole number of pieces, 1 to 2147483647',
    ],
    [certified({ price: undefined }), 'methodData.articles[0].price: must be an amount: { value, currency }'],
    [
      certified({ tru_code: '1' }),
      'methodData.articles[0].tru_code: is not a field of this input: truCode is meant',
    ],
    [{ ...certified({}), methodData: { articles: [] } }, 'methodData.articles: needs at least one'],
    [{ ...certified({}), capture: false }, 'capture: electronic certificate has no hold: pass capture: true'],
    [{ ...certified({}), method: 'sbp' }, 'methodData.articles: must be left out: SBP takes none'],
    [{ method: 'b2b_sberbank', returnUrl }, 'methodData.paymentPurpose: is required by SberBank Business'],
    [
      { method: 'b2b_sberbank', returnUrl, methodData: { paymentPurpose: 'Tea' } },
      'methodData.vatData: is required by SberBank Business',
    ],
    [
      { method: 'b2b_sberbank', returnUrl, methodData: { paymentPurpose: 'x'.repeat(211), vatData } },
      'methodData.paymentPurpose: must be a string of 1 to 210 characters',
    ],
    [
      {
        method: 'b2b_sberbank',
        returnUrl,
        methodData: {
          paymentPurpose: 'Tea',
          vatData: { type: 'calculated', rate: '18', ...amount('10.00') },
        },
      },
      'methodData.vatData.rate: must be one of 5, 7, 10, 20, 22',
    ],
    [
      { confirmation: { type: 'qr' } },
      'confirmation: qr needs a method that has it: method must be bank_app_pay or sbp',
    ],
    [
      { method: 'sbp', returnUrl, airline: { ticket_number: '421' } },
      'airline: is for bank card payments only: method must be bank_card',
    ],
    [
      {
        method: 'bank_app_pay',
        confirmation: { type: 'mobile_application', returnUrl: `shop://${'x'.repeat(249)}` },
      },
      'confirmation.returnUrl: must be an http or https address, or a link into your app, of at most 255 characters',
    ],
    [
      {
        method: 'bank_app_pay',
        confirmation: { type: 'mobile_application', returnUrl: 'javascript://%0aalert(1)' },
      },
      'confirmation.returnUrl: must be an http or https address, or a link into your app, of at most 255 characters',
    ],
    [
      { method: 'bank_app_pay', confirmation: { type: 'mobile_application' } },
      'confirmation.returnUrl: is required: an http or https address, or a link into your app, of at most 255 characters',
    ],
    [{}, `returnUrl: is required for the redirect scenario: ${addressRule}`],
    [{ returnUrl: 'javascript:alert(1)' }, `returnUrl: must be ${addressRule}`],
    [{ returnUrl: null }, `returnUrl: must be ${addressRule}`],
    [
      { confirmation: { type: 'redirect', returnUrl: 'shop.example' } },
      `confirmation.returnUrl: must be ${addressRule}`,
    ],
    [
      { method: 'sbp', confirmation: { type: 'qr', returnUrl: 'shop' } },
      `confirmation.returnUrl: must be ${addressRule}`,
    ],
    [
      { returnUrl, receipt: { customer: { phone: '89001234567' }, items: [cup] } },
      `receipt.customer.phone: ${trunkRule}`,
    ],
    [
      { method: 'bank_app_pay', returnUrl, methodData: { phone: '89001234567' } },
      `methodData.phone: ${trunkRule}`,
    ],
    [
      { returnUrl, receipt: { customer, items: [cup, { ...cup, description: ' \u00a0\n' }] } },
      'receipt.items[1].description: must not be blank',
    ],
    [
      { returnUrl, receipt: { customer, items: [{ ...cup, description: '' }] } },
      'receipt.items[0].description: must be a string of 1 to 128 characters',
    ],
    [{ returnUrl, receipt: () => 1 }, 'receipt: must not be a function'],
    [{ returnUrl, receipt: 1 }, 'receipt: must be a receipt: { customer, items, … }'],
    [{ returnUrl, receipt: { customer, items: [cup, null] } }, `receipt.items[1]: ${itemRule}`],
    [{ returnUrl, receipt: { customer, items: [[]] } }, `receipt.items[0]: ${itemRule}`],
    [
      { confirmation: { type: 'redirect', returnUrl }, enforce3dSecure: true },
      'enforce3dSecure: must be left out beside confirmation, which says it: confirmation.enforce3dSecure',
    ],
    [
      { confirmation: { type: 'embedded', locale: 'de_DE' } },
      'confirmation.locale: must be one of ru_RU, en_US',
    ],
    [
      { confirmation: { type: 'embedded', returnUrl } },
      'confirmation.returnUrl: is not a field of this input',
    ],
    [{ return_url: returnUrl }, 'return_url: is not a field of this input: returnUrl is meant'],
    [
      { paymentMethodId: 'pm-1', confirmation: { type: 'embedded' } },
      'confirmation: must be left out: there is nothing for the buyer to confirm',
    ],
    [
      { method: 'hologram', returnUrl },
      'method: must be one of bank_card, wallet, bank_app_pay, tinkoff_bank, sbp, alfa_pay, sber_loan, sber_bnpl, b2b_sberbank, mobile_balance, cash, electronic_certificate',
    ],
  ])('with %j is refused with the reason', (fields, message) => {
    expect(refusal(fields)).toBe(message);
  });

  it('means the same with returnUrl as with a confirmation of the type redirect', () => {
    const short = parsed({ returnUrl, enforce3dSecure: true });
    expect(parsed({ confirmation: { type: 'redirect', returnUrl, enforce3dSecure: true } })).toEqual(short);
  });

  it("goes by the host's own figures where its profile has others", () => {
    const { sbp } = yookassaProfile.methods;
    const methods = { ...yookassaProfile.methods, sbp: { ...sbp, maxMinor: 100 } };
    expect(() =>
      parseCreateInput({ ...input, method: 'sbp', returnUrl }, { profile: { ...yookassaProfile, methods } }),
    ).toThrow('must be 1.00 to 1.00 roubles by SBP');
  });
});
