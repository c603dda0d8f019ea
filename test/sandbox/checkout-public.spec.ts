import type { Sandbox } from '@holdfast/sandbox';
import { good, page, submit, textOf, type Shown } from './buyer-browser.js';
import { basicOf, order, post, realShop, started, type Json } from './support.js';

const roubles = (value: string) => ({ value, currency: 'RUB' });
const BACK = 'http://shop.test/back';

const store = (): Promise<Sandbox> => started({ ...realShop, profile: 'yookassa' });

let keys = 0;
async function created(sandbox: Sandbox, more: Json = {}): Promise<string> {
  const body = order({ amount: roubles('5000.00'), capture: true, ...more });
  const reply = await post(sandbox, '/v3/payments', `key-${(keys += 1)}`, body, basicOf(realShop));
  return String(reply.body['id']);
}

const by = (type: string, more: Json = {}): Json => ({ payment_method_data: { type, ...more } });
const company = { payment_purpose: 'Invoice 7', vat_data: { type: 'untaxed' } };

/** The ways that the payment page offers. */
const offered = ({ text }: Shown): string[] =>
  [...text.matchAll(/data-testid="method-(\w+)"/g)].map(([, way = '']) => way);

describe('the choice of ways to pay', () => {
  it('has all that the store has', async () => {
    const sandbox = await store();
    expect(offered(await page(sandbox, await created(sandbox)))).toEqual([
      'bank_card',
      'wallet',
      'sbp',
      'bank_app_pay',
      'tinkoff_bank',
      'alfa_pay',
      'sber_loan',
      'sber_bnpl',
      'cash',
    ]);
  });

  it('has none that cannot hold the money, or save the method, where the shop asked for it', async () => {
    const sandbox = await store();
    const holding = offered(await page(sandbox, await created(sandbox, { capture: false })));
    expect(holding).not.toContain('sbp');
    expect(holding).toContain('cash');
    const saving = await created(sandbox, { save_payment_method: true });
    expect(offered(await page(sandbox, saving))).toEqual([
      'bank_card',
      'wallet',
      'sbp',
      'bank_app_pay',
      'tinkoff_bank',
    ]);
  });

  it.each([
    ['sbp', 'sbp'],
    ['bank_app_pay', 'sberpay'],
    ['tinkoff_bank', 't-pay'],
    ['alfa_pay', 'alfa-pay'],
    ['sber_loan', 'credit'],
    ['sber_bnpl', 'instalments'],
    ['cash', 'cash'],
    ['wallet', 'wallet'],
  ])('leads by %s to a page of its own, and says so in the payment', async (method, path) => {
    const sandbox = await store();
    const id = await created(sandbox);
    expect((await submit(sandbox, `${id}/pay`, { method })).location).toBe(`/checkout/${id}/${path}`);
    expect(sandbox.payments.get(id)).toMatchObject({ status: 'pending', payment_method: { id } });
    const shown = await page(sandbox, `${id}/${path}`);
    expect([shown.status, textOf(shown.text, 'amount')]).toEqual([200, '5\u00a0000,00\u00a0₽']);
    expect((await submit(sandbox, `${id}/pay`, good)).location).toBe(BACK);
    expect(sandbox.payments.get(id).payment_method?.type).toBe('bank_card');
  });

  it('gives the buyer of a chosen way the time that it has', async () => {
    const sandbox = await store();
    const id = await created(sandbox);
    await submit(sandbox, `${id}/pay`, { method: 'cash' });
    await sandbox.clock.advance(30 * 86_400_000);
    expect(sandbox.payments.get(id).status).toBe('pending');
    await submit(sandbox, `${id}/cash`, { answer: 'paid' });
    expect(sandbox.payments.get(id)).toMatchObject({ status: 'succeeded', payment_method: { type: 'cash' } });
  });
});

describe('the page of one way', () => {
  const apps: [string, string, Json][] = [
    ['sbp', 'sbp-bank', by('sbp')],
    ['sberbank', 'bank-app', by('sberbank')],
    ['tinkoff_bank', 't-pay', by('tinkoff_bank')],
    ['alfa_pay', 'alfa-pay', by('alfa_pay')],
    ['sber_bnpl', 'instalments', by('sber_bnpl')],
    ['b2b_sberbank', 'business', by('b2b_sberbank', company)],
    [
      'mobile_balance',
      'mobile-balance',
      { ...by('mobile_balance', { phone: '79001234567' }), confirmation: { type: 'external' } },
    ],
    ['electronic_certificate', 'certificate', by('electronic_certificate')],
  ];

  it.each(apps)('of %s pays', async (type, path, more) => {
    const sandbox = await store();
    const id = await created(sandbox, more);
    expect((await page(sandbox, `${id}/${path}`)).text).toContain('data-testid="confirm"');
    const back = type === 'mobile_balance' ? `/checkout/${id}` : BACK;
    expect((await submit(sandbox, `${id}/${path}`, { answer: 'confirm' })).location).toBe(back);
    expect(sandbox.payments.get(id)).toMatchObject({ status: 'succeeded', payment_method: { type } });
  });

  it.each(apps)('of %s refuses, and the buyer may try again or give up', async (_type, path, more) => {
    const sandbox = await store();
    const id = await created(sandbox, more);
    expect((await submit(sandbox, `${id}/${path}`, { answer: 'no-money' })).location).toBe(`/checkout/${id}`);
    expect(textOf((await page(sandbox, id)).text, 'payment-error')).toContain('not enough money');
    expect(sandbox.payments.get(id).status).toBe('pending');
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.payments.get(id).cancellation_details?.reason).toBe('insufficient_funds');
  });

  it('of another way is not there', async () => {
    const sandbox = await store();
    const id = await created(sandbox, by('sbp'));
    for (const path of ['credit', 'cash', 't-pay', 'sberpay'])
      expect((await submit(sandbox, `${id}/${path}`, { answer: 'paid' })).location).toBe(`/checkout/${id}`);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it('of the mobile balance knows other operators', async () => {
    const sandbox = await store();
    const id = await created(sandbox, apps[6]?.[2]);
    await submit(sandbox, `${id}/mobile-balance`, { answer: 'operator' });
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.payments.get(id).cancellation_details).toEqual({
      party: 'yoo_money',
      reason: 'unsupported_mobile_operator',
    });
  });

  it('of SberBank Business names what is paid for', async () => {
    const sandbox = await store();
    const id = await created(sandbox, by('b2b_sberbank', company));
    expect((await page(sandbox, `${id}/business`)).text).toContain('Invoice 7');
  });
});

describe('the code of SBP', () => {
  it('is drawn on a page that looks again, and goes on to the shop once the bank has paid', async () => {
    const sandbox = await store();
    const id = await created(sandbox, by('sbp'));
    const { text } = await page(sandbox, `${id}/sbp`);
    // How many modules it has depends on the length of the sandbox's address.
    expect(text).toMatch(/<svg class="code" viewBox="0 0 (\d+) \1"/);
    expect(text).toContain('http-equiv="refresh"');
    const [, address] = /href="([^"]+)"[^>]*data-testid="open-app"/.exec(text) ?? [];
    expect(address).toBe(`${sandbox.url}/checkout/${id}/sbp-bank`);
    await fetch(address ?? '', {
      method: 'POST',
      body: new URLSearchParams({ answer: 'confirm' }),
      redirect: 'manual',
    });
    expect((await page(sandbox, `${id}/sbp`)).location).toBe(BACK);
  });

  it('is that of the shop too, which shows it itself', async () => {
    const sandbox = await store();
    const id = await created(sandbox, { ...by('sbp'), confirmation: { type: 'qr' } });
    const { confirmation } = sandbox.payments.get(id);
    const scanned = await fetch(confirmation?.confirmation_data ?? '');
    expect(await scanned.text()).toContain('data-testid="confirm"');
  });
});

describe('SberPay', () => {
  it('sends a push to the phone that the buyer names', async () => {
    const sandbox = await store();
    const id = await created(sandbox, by('sberbank'));
    expect((await page(sandbox, `${id}/sberpay`)).text).toContain('data-testid="push"');
    const pushed = (await page(sandbox, `${id}/sberpay?phone=79001234567`)).text;
    expect(pushed).toContain('data-testid="pushed"');
    expect(pushed).toContain('http-equiv="refresh"');
    expect(pushed).not.toContain('79001234567');
  });
});

describe('cash', () => {
  it('has a code that stays the same, and is paid at the counter', async () => {
    const sandbox = await store();
    const id = await created(sandbox, by('cash'));
    const code = async () => textOf((await page(sandbox, `${id}/cash`)).text, 'cash-code');
    expect(await code()).toMatch(/^\d{5} \d{5}$/);
    expect(await code()).toBe(await code());
    expect((await submit(sandbox, `${id}/cash`, { answer: 'paid' })).location).toBe(BACK);
    expect(sandbox.payments.get(id).status).toBe('succeeded');
  });
});

describe('the page of a credit', () => {
  it.each([
    ['loan', '5000.00', undefined],
    ['installments_3', '4850.00', '150.00'],
    ['installments_6', '4750.00', '250.00'],
  ])('grants %s', async (loan, amount, discount) => {
    const sandbox = await store();
    const id = await created(sandbox, by('sber_loan'));
    expect((await page(sandbox, `${id}/credit`)).text).toContain(`data-testid="loan-${loan}"`);
    await submit(sandbox, `${id}/credit`, { loan, answer: 'approve' });
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'succeeded',
      amount: roubles(amount),
      payment_method: {
        loan_option: loan,
        ...(discount !== undefined && { discount_amount: roubles(discount) }),
      },
    });
  });

  it('refuses one', async () => {
    const sandbox = await store();
    const id = await created(sandbox, by('sber_loan'));
    await submit(sandbox, `${id}/credit`, { loan: 'loan', answer: 'refuse' });
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.payments.get(id).cancellation_details?.reason).toBe('loan_declined');
  });

  it('lets a large one wait, and then nobody can pay it again', async () => {
    const sandbox = await store();
    const small = await created(sandbox, by('sber_loan'));
    expect((await page(sandbox, `${small}/credit`)).text).not.toContain('data-testid="suspend"');
    const id = await created(sandbox, { ...by('sber_loan'), amount: roubles('90000.00') });
    expect((await page(sandbox, `${id}/credit`)).text).toContain('data-testid="suspend"');
    await submit(sandbox, `${id}/credit`, { loan: 'loan', answer: 'suspend' });
    expect(textOf((await page(sandbox, `${id}/credit`)).text, 'payment-status')).toContain(
      'The credit is granted',
    );
    await submit(sandbox, `${id}/credit`, { loan: 'loan', answer: 'approve' });
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.payments.get(id).status).toBe('pending');
    await sandbox.clock.advance(4 * 3_600_000);
    expect(sandbox.payments.get(id).status).toBe('succeeded');
    expect(sandbox.ledger.totals(id).charges).toBe(1);
  });
});

describe('a payment that waits for its receipt', () => {
  it('cannot be paid again', async () => {
    const receipts = { scenario: 'before_payment', provider: 'atol' } as const;
    const sandbox = await started({ ...realShop, profile: 'yookassa', receipts });
    const receipt = {
      customer: { phone: '79001234567' },
      items: [{ description: 'Tea', amount: roubles('5000.00'), quantity: 1, vat_code: 11 }],
    };
    const id = await created(sandbox, { receipt });
    await submit(sandbox, `${id}/pay`, good);
    expect(textOf((await page(sandbox, id)).text, 'payment-status')).toContain('waits for its receipt');
    await submit(sandbox, `${id}/pay`, good);
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.receipts.list()).toHaveLength(1);
    await sandbox.clock.advance(2_000);
    expect(sandbox.payments.get(id).status).toBe('succeeded');
  });
});

describe('a box to have the method saved', () => {
  it('is there where the shop leaves it to the buyer, for card and wallet', async () => {
    const sandbox = await store();
    const [left, never] = [await created(sandbox), await created(sandbox, { save_payment_method: false })];
    const hasBox = async (path: string) => (await page(sandbox, path)).text.includes('data-testid="save"');
    expect(await Promise.all([left, `${left}/wallet`, never, `${never}/wallet`].map(hasBox))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await submit(sandbox, `${left}/pay`, { ...good, save: 'yes' });
    expect(sandbox.payments.get(left).payment_method).toMatchObject({ saved: true, status: 'active' });
    const wallet = await created(sandbox);
    await submit(sandbox, `${wallet}/wallet`, { wallet: '4100 1000 0000 0001', save: 'yes' });
    expect(sandbox.payments.get(wallet).payment_method?.saved).toBe(true);
  });

  it('counts after 3-D Secure too', async () => {
    const sandbox = await store();
    const id = await created(sandbox);
    await submit(sandbox, `${id}/pay`, { ...good, number: '5555 5555 5555 4477', save: 'yes' });
    await submit(sandbox, `${id}/3ds`, { code: '123456' });
    expect(sandbox.payments.get(id).payment_method?.saved).toBe(true);
  });

  it('is ignored by ways that cannot be saved by choice', async () => {
    const sandbox = await store();
    const id = await created(sandbox);
    const paid = sandbox.payments.pay(id, { outcome: 'succeed', method: 'sbp', save: true });
    expect(paid.payment_method?.saved).toBe(false);
  });
});
