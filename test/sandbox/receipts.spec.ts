import type { Sandbox, SandboxOptions } from '@holdfast/sandbox';
import {
  basicOf,
  bearer,
  control,
  get,
  post,
  realShop,
  refusal,
  started,
  token,
  type Json,
  type Reply,
} from './support.js';

const roubles = (value: string) => ({ value, currency: 'RUB' });
const together = { scenario: 'with_payment', provider: 'atol' } as const;
const customer = { email: 'buyer@shop.example' };
const tea = { description: 'Tea', amount: roubles('100.00'), quantity: 2, vat_code: 11 };
const receipt = { customer, items: [tea] };
const industry = { federal_id: '001', document_date: '2026-01-31', document_number: '17', value: 'a=1' };
const operational = { operation_id: 0, value: 'till 4', created_at: '2026-01-31T10:00:00.000Z' };
const REGISTERED_MS = 2_000;

const selling = (options: Partial<SandboxOptions>): Promise<Sandbox> =>
  started({ profile: 'yookassa', ...options });

const create = (sandbox: Sandbox, more: Json = {}): Promise<Reply> =>
  post(sandbox, '/v3/payments', `create-${Math.random()}`, {
    amount: roubles('200.00'),
    confirmation: { type: 'redirect', return_url: 'https://shop.example/' },
    capture: true,
    receipt,
    ...more,
  });

async function paid(sandbox: Sandbox, more: Json = {}): Promise<string> {
  const { body } = await create(sandbox, more);
  const id = String(body['id']);
  sandbox.payments.pay(id, { outcome: 'succeed' });
  return id;
}

const registration = async (sandbox: Sandbox, path: string): Promise<unknown> =>
  (await get(sandbox, path)).body['receipt_registration'];

const sums = (sandbox: Sandbox): unknown[] =>
  sandbox.receipts
    .list()
    .map(({ type, status, settlements }) => [type, status, settlements[0]?.amount.value])
    .toReversed();

describe('a store that sends receipts with its payments', () => {
  it.each<[string, Json, string]>([
    ['none', { receipt: undefined }, 'receipt'],
    ['an empty one', { receipt: {} }, 'receipt'],
    ['one without a contact', { receipt: { customer: {}, items: [tea] } }, 'receipt'],
    [
      'a phone with a plus',
      { receipt: { customer: { phone: '+79001234567' }, items: [tea] } },
      'receipt.customer.phone',
    ],
    ['a VAT code', { receipt: { customer, items: [{ ...tea, vat_code: 13 }] } }, 'receipt.items[0].vat_code'],
    [
      'a quantity of none',
      { receipt: { customer, items: [{ ...tea, quantity: 0 }] } },
      'receipt.items[0].quantity',
    ],
    ...Object.entries({
      payment_subject: 'tea',
      payment_mode: 'later',
      measure: 'cup',
      country_of_origin_code: 'Russia',
      customs_declaration_number: '',
      excise: '1.5',
      product_code: 'xyz',
      mark_mode: '1',
      planned_status: 7,
      mark_quantity: { numerator: 2, denominator: 1 },
      supplier: { name: 'Grower' },
      agent_type: 'agent',
    }).map(([field, value]): [string, Json, string] => [
      `an odd ${field}`,
      { receipt: { customer, items: [{ ...tea, [field]: value }] } },
      `receipt.items[0].${field}`,
    ]),
    ...Object.entries<[Json, string]>({
      'no code': [{}, ''],
      'a code of an unknown kind': [{ qr: '1' }, ''],
      'a short EAN-8': [{ ean_8: '1234567' }, '.ean_8'],
      'a long EAN-13': [{ ean_13: '1'.repeat(14) }, '.ean_13'],
      'a short fur code': [{ fur: 'RU-430302' }, '.fur'],
      'an empty code': [{ gs_1m: '' }, '.gs_1m'],
      'a number': [{ unknown: 4 }, '.unknown'],
    }).map(([what, [code, field]]): [string, Json, string] => [
      `a mark of ${what}`,
      { receipt: { customer, items: [{ ...tea, mark_code_info: code }] } },
      `receipt.items[0].mark_code_info${field}`,
    ]),
    ...Object.entries({
      federal_id: '074',
      document_date: '1 May',
      document_number: '1'.repeat(33),
      value: undefined,
    }).flatMap(([field, value]): [string, Json, string][] => [
      [
        `industry details with an odd ${field}`,
        { receipt: { ...receipt, receipt_industry_details: [{ ...industry, [field]: value }] } },
        `receipt.receipt_industry_details[0].${field}`,
      ],
      [
        `industry details of a line with an odd ${field}`,
        {
          receipt: {
            customer,
            items: [{ ...tea, payment_subject_industry_details: [{ ...industry, [field]: value }] }],
          },
        },
        `receipt.items[0].payment_subject_industry_details[0].${field}`,
      ],
    ]),
    ...Object.entries({ operation_id: 256, value: '', created_at: '2026-01-01' }).map(
      ([field, value]): [string, Json, string] => [
        `operational details with an odd ${field}`,
        { receipt: { ...receipt, receipt_operational_details: { ...operational, [field]: value } } },
        `receipt.receipt_operational_details.${field}`,
      ],
    ),
    ['a time zone of none', { receipt: { ...receipt, timezone: 12 } }, 'receipt.timezone'],
    [
      'a number for a person',
      { receipt: { customer: { ...customer, inn: '77' }, items: [tea] } },
      'receipt.customer.inn',
    ],
    ['no address', { receipt: { customer: { email: 'me' }, items: [tea] } }, 'receipt.customer.email'],
    ['a sum that differs', { receipt: { customer, items: [{ ...tea, quantity: 1 }] } }, 'receipt'],
  ])('is refused a payment with %s', async (_what, more, parameter) => {
    const sandbox = await selling({ receipts: together });
    const { status, body } = await create(sandbox, more);
    expect([status, body['code'], body['parameter']]).toEqual([400, 'invalid_request', parameter]);
  });

  it('may say all that a register knows of a line', async () => {
    const item = {
      ...tea,
      payment_subject: 'marked',
      payment_mode: 'partial_prepayment',
      measure: 'piece',
      country_of_origin_code: 'RU',
      customs_declaration_number: '10714040/140917/0090376',
      excise: '20.00',
      product_code: '00 00 00 01 00 21',
      mark_mode: '0',
      planned_status: 1,
      mark_quantity: { numerator: 1, denominator: 2 },
      mark_code_info: { gs_1m: '010460406000600021N4N57RSCBUZTQ', egais_20: 'x'.repeat(33) },
      payment_subject_industry_details: [industry],
    };
    const sandbox = await selling({ receipts: together });
    const { status } = await create(sandbox, {
      receipt: {
        customer: { ...customer, inn: '7700000000', full_name: 'A' },
        items: [item],
        timezone: 2,
        receipt_industry_details: [industry],
        receipt_operational_details: operational,
      },
    });
    expect(status).toBe(200);
  });

  it.each<[string, Json, string]>([
    ['no measure', { measure: undefined }, 'measure'],
    ['a code of the old format', { product_code: '00 00 00 01 00 21' }, 'product_code'],
    ['marked goods without a code', { mark_code_info: undefined }, 'mark_code_info'],
    ['marked goods without a mode', { mark_mode: undefined }, 'mark_mode'],
    ['marked pieces without their part', { mark_quantity: undefined }, 'mark_quantity'],
    ['a code without a mode', { payment_subject: 'commodity', mark_mode: undefined }, 'mark_mode'],
  ])('is refused by a register of the service: %s', async (_what, more, field) => {
    const sandbox = await selling({ receipts: { scenario: 'with_payment', provider: 'yoo_receipt' } });
    const marked = {
      ...tea,
      measure: 'piece',
      payment_subject: 'marked',
      mark_code_info: { ean_13: '4601234567893' },
      mark_mode: '0',
      mark_quantity: { numerator: 1, denominator: 1 },
    };
    const by = (item: Json) => create(sandbox, { receipt: { customer, items: [item] } });
    expect((await by(marked)).status).toBe(200);
    expect(await by({ ...marked, ...more })).toMatchObject(refusal(`receipt.items[0].${field}`));
  });

  it('has its receipt registered once the buyer has paid', async () => {
    const sandbox = await selling({ receipts: together });
    const id = await paid(sandbox);
    expect(await registration(sandbox, `/v3/payments/${id}`)).toBe('pending');
    await sandbox.clock.advance(REGISTERED_MS);
    expect(await registration(sandbox, `/v3/payments/${id}`)).toBe('succeeded');
    const { body } = await get(sandbox, `/v3/receipts?payment_id=${id}`);
    expect(body['items']).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^rt-[\da-f-]{36}$/),
        type: 'payment',
        payment_id: id,
        status: 'succeeded',
        items: [tea],
        fiscal_document_number: '1',
        fiscal_storage_number: expect.stringMatching(/^\d{16}$/),
        fiscal_attribute: expect.stringMatching(/^\d{10}$/),
      }),
    ]);
  });

  it('sends one for a part that is captured, and takes the first one back', async () => {
    const sandbox = await selling({ receipts: together });
    const id = await paid(sandbox, { capture: false });
    const capture = (more: Json) =>
      post(sandbox, `/v3/payments/${id}/capture`, `capture-${Math.random()}`, {
        amount: roubles('100.00'),
        ...more,
      });
    expect((await capture({})).body).toMatchObject({ code: 'invalid_request', parameter: 'receipt' });
    await capture({ receipt: { customer, items: [{ ...tea, quantity: 1 }] } });
    expect(sums(sandbox)).toEqual([
      ['payment', 'pending', '200.00'],
      ['refund', 'pending', '200.00'],
      ['payment', 'pending', '100.00'],
    ]);
  });

  it('takes the receipt of a hold back that is let go', async () => {
    const sandbox = await selling({ receipts: together });
    const id = await paid(sandbox, { capture: false });
    await post(sandbox, `/v3/payments/${id}/cancel`, 'cancel', {});
    expect(sums(sandbox)).toEqual([
      ['payment', 'pending', '200.00'],
      ['refund', 'pending', '200.00'],
    ]);
  });

  it('needs one for a part that is given back, and none for the whole', async () => {
    const sandbox = await selling({ receipts: together });
    const refund = (id: string, value: string, more: Json = {}) =>
      post(sandbox, '/v3/refunds', `refund-${Math.random()}`, {
        payment_id: id,
        amount: roubles(value),
        ...more,
      });
    const id = await paid(sandbox);
    expect((await refund(id, '100.00')).body).toMatchObject({
      code: 'invalid_request',
      parameter: 'receipt',
    });
    expect((await refund(id, '200.00', { receipt })).body).toMatchObject({ code: 'invalid_request' });
    const half = { receipt: { customer, items: [{ ...tea, quantity: 1 }] } };
    const { body } = await refund(id, '100.00', half);
    expect(body['receipt_registration']).toBe('pending');
    await sandbox.clock.advance(REGISTERED_MS);
    expect(await registration(sandbox, `/v3/refunds/${String(body['id'])}`)).toBe('succeeded');
    const other = await paid(sandbox);
    await refund(other, '200.00');
    expect(sums(sandbox).slice(-2)).toEqual([
      ['payment', 'pending', '200.00'],
      ['refund', 'pending', '200.00'],
    ]);
  });

  it('learns that its register refused a receipt, or never answered, where that was ordered', async () => {
    const sandbox = await selling({ receipts: together });
    sandbox.receipts.next({ status: 'canceled' });
    sandbox.receipts.next({ status: 'pending' });
    const [refused, lost] = [await paid(sandbox), await paid(sandbox)];
    await sandbox.clock.advance(3 * 86_400_000);
    expect(await registration(sandbox, `/v3/payments/${refused}`)).toBe('canceled');
    expect(await registration(sandbox, `/v3/payments/${lost}`)).toBe('pending');
    const [newest] = sandbox.receipts.list();
    sandbox.receipts.finish(newest?.id ?? '', 'succeeded');
    expect(await registration(sandbox, `/v3/payments/${lost}`)).toBe('succeeded');
  });

  it('learns of a receipt as late as was ordered', async () => {
    const sandbox = await selling({ receipts: together });
    sandbox.receipts.next({ status: 'succeeded', ms: 86_400_000 });
    const id = await paid(sandbox);
    await sandbox.clock.advance(86_390_000);
    expect(await registration(sandbox, `/v3/payments/${id}`)).toBe('pending');
    await sandbox.clock.advance(10_000);
    expect(await registration(sandbox, `/v3/payments/${id}`)).toBe('succeeded');
  });

  it('names its register in the information about itself', async () => {
    const sandbox = await selling({ receipts: together, accessToken: token });
    expect((await get(sandbox, '/v3/me', bearer)).body).toMatchObject({
      fiscalization_enabled: true,
      fiscalization: { enabled: true, provider: 'atol' },
    });
  });

  it('needs none where a company pays by its bank, and has no instalments with a register of the service', async () => {
    const own = { scenario: 'with_payment', provider: 'yoo_receipt' } as const;
    const sandbox = await selling({ ...realShop, receipts: own });
    const by = (type: string, more: Json = {}) =>
      post(
        sandbox,
        '/v3/payments',
        type,
        {
          amount: roubles('2000.00'),
          confirmation: { type: 'redirect', return_url: 'https://shop.example/' },
          capture: true,
          payment_method_data: { type, ...more },
        },
        basicOf(realShop),
      );
    const company = { payment_purpose: 'Tea', vat_data: { type: 'untaxed' } };
    expect((await by('b2b_sberbank', company)).body).toMatchObject({ status: 'pending' });
    expect(await by('sbp')).toMatchObject(refusal('receipt'));
    expect(await by('sber_bnpl')).toMatchObject(refusal('payment_method_data.type'));
  });
});

describe('a store whose receipt comes before the payment', () => {
  const first = { scenario: 'before_payment', provider: 'atol' } as const;

  it('has a payment that was paid pending until its receipt is registered', async () => {
    const sandbox = await selling({ receipts: first });
    const id = await paid(sandbox);
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      status: 'pending',
      receipt_registration: 'pending',
    });
    expect(sandbox.ledger.totals(id).charges).toBe(0);
    await sandbox.clock.advance(REGISTERED_MS);
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      receipt_registration: 'succeeded',
    });
    expect(sandbox.ledger.totals(id).charges).toBe(1);
  });

  it('has it canceled, and no money taken, where the register refuses', async () => {
    const sandbox = await selling({ receipts: first });
    sandbox.receipts.next({ status: 'canceled' });
    const id = await paid(sandbox);
    await sandbox.clock.advance(2 * 3_600_000);
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      status: 'canceled',
      receipt_registration: 'canceled',
    });
    expect(sandbox.ledger.totals(id).charges).toBe(0);
  });
});

describe('a store that sends its receipts by itself', () => {
  const after = { scenario: 'after_payment', provider: 'atol' } as const;
  const send = (sandbox: Sandbox, more: Json): Promise<Reply> =>
    post(sandbox, '/v3/receipts', `receipt-${Math.random()}`, {
      type: 'payment',
      customer,
      items: [tea],
      send: true,
      settlements: [{ type: 'cashless', amount: roubles('200.00') }],
      ...more,
    });

  it('sends them once the money has moved', async () => {
    const sandbox = await selling({ receipts: after });
    const { body: pending } = await create(sandbox, { receipt: undefined });
    const id = String(pending['id']);
    expect((await send(sandbox, { payment_id: id })).body).toMatchObject({ parameter: 'payment_id' });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const { status, body } = await send(sandbox, { payment_id: id });
    expect([status, body['status']]).toEqual([200, 'pending']);
    await sandbox.clock.advance(REGISTERED_MS);
    expect((await get(sandbox, `/v3/receipts/${String(body['id'])}`)).body).toMatchObject({
      status: 'succeeded',
    });
    expect(await registration(sandbox, `/v3/payments/${id}`)).toBeUndefined();
  });

  it('is answered the INN of a supplier masked, and all else as it was sent', async () => {
    const sandbox = await selling({ receipts: after });
    const id = await paid(sandbox, { receipt: undefined });
    const grower = { name: 'Grower', phone: '79001234567', inn: '7700000000' };
    const items = [{ ...tea, agent_type: 'agent', supplier: grower }];
    const masked = { items: [{ ...tea, agent_type: 'agent', supplier: { ...grower, inn: '***' } }] };
    const { body } = await send(sandbox, { payment_id: id, items, on_behalf_of: '300200' });
    expect(body).toMatchObject({ ...masked, on_behalf_of: '300200' });
    expect((await get(sandbox, `/v3/receipts/${String(body['id'])}`)).body).toMatchObject(masked);
    expect((await get(sandbox, '/v3/receipts')).body).toMatchObject({ items: [masked] });
  });

  it.each<[string, Json, string]>([
    [
      'settlements that differ',
      { settlements: [{ type: 'cashless', amount: roubles('1.00') }] },
      'settlements',
    ],
    ['no settlements', { settlements: [] }, 'settlements'],
    ['both ids', { refund_id: 'r' }, 'payment_id'],
    ['send: false', { send: false }, 'send'],
    ['another type', { type: 'simple' }, 'type'],
    ['an odd supplier', { items: [{ ...tea, supplier: { inn: '77' } }] }, 'items[0].supplier.inn'],
    ['a supplier’s odd phone', { items: [{ ...tea, supplier: { phone: '+7' } }] }, 'items[0].supplier.phone'],
    ['an empty store', { on_behalf_of: '' }, 'on_behalf_of'],
  ])('is refused one with %s', async (_what, more, parameter) => {
    const sandbox = await selling({ receipts: after });
    const id = await paid(sandbox, { receipt: undefined });
    expect((await send(sandbox, { payment_id: id, ...more })).body).toMatchObject({
      code: 'invalid_request',
      parameter,
    });
  });
});

describe('what receipts say of the money', () => {
  const refund = (sandbox: Sandbox, id: string, value: string, quantity: number): Promise<Reply> =>
    post(sandbox, '/v3/refunds', `refund-${Math.random()}`, {
      payment_id: id,
      amount: roubles(value),
      receipt: { customer, items: [{ ...tea, quantity }] },
    });

  it('adds up after a capture of a part, a refund of a part, and a hold let go', async () => {
    const sandbox = await selling({ receipts: together });
    const id = await paid(sandbox, { capture: false });
    await post(sandbox, `/v3/payments/${id}/capture`, 'capture', {
      amount: roubles('150.00'),
      receipt: { customer, items: [{ ...tea, quantity: 1.5 }] },
    });
    await refund(sandbox, id, '50.00', 0.5);
    const letGo = await paid(sandbox, { capture: false });
    await post(sandbox, `/v3/payments/${letGo}/cancel`, 'cancel', {});
    const waiting = { registered: '0.00', refused: '0.00', short: '0.00' };
    expect(sandbox.ledger.receipts()).toEqual([
      { paymentId: letGo, money: '0.00', pending: '0.00', ...waiting },
      { paymentId: id, money: '100.00', pending: '100.00', ...waiting },
    ]);
    await sandbox.clock.advance(REGISTERED_MS);
    const { body } = await control(sandbox, '/ledger', undefined, 'GET');
    expect(body).toMatchObject({
      receipts: [{ paymentId: letGo }, { money: '100.00', registered: '100.00', pending: '0.00' }],
      receiptsShort: [],
    });
  });

  it('is short by what a register refused', async () => {
    const sandbox = await selling({ receipts: together });
    sandbox.receipts.next({ status: 'canceled' });
    const id = await paid(sandbox);
    expect(sandbox.ledger.receiptsShort()).toEqual([]);
    await sandbox.clock.advance(REGISTERED_MS);
    expect(sandbox.ledger.receiptsShort()).toEqual([
      {
        paymentId: id,
        money: '200.00',
        registered: '0.00',
        pending: '0.00',
        refused: '200.00',
        short: '200.00',
      },
    ]);
  });

  it('leaves apart what offsets a prepayment', async () => {
    const sandbox = await selling({ receipts: together });
    const id = await paid(sandbox);
    const settled = await post(sandbox, '/v3/receipts', 'settled', {
      type: 'payment',
      payment_id: id,
      customer,
      items: [tea],
      send: true,
      settlements: [{ type: 'prepayment', amount: roubles('200.00') }],
    });
    expect(settled.status).toBe(200);
    await sandbox.clock.advance(REGISTERED_MS);
    expect(sandbox.receipts.list()).toHaveLength(2);
    expect(sandbox.ledger.receiptsShort()).toEqual([]);
  });

  it('is short until the shop itself has sent its receipts, and nothing of payments not paid', async () => {
    const sandbox = await selling({ receipts: { scenario: 'after_payment', provider: 'atol' } });
    await create(sandbox, { receipt: undefined });
    const id = await paid(sandbox, { receipt: undefined });
    expect(sandbox.ledger.receiptsShort()).toMatchObject([{ paymentId: id, short: '200.00' }]);
    await post(sandbox, '/v3/receipts', 'own', {
      type: 'payment',
      payment_id: id,
      customer,
      items: [tea],
      send: true,
      settlements: [{ type: 'cashless', amount: roubles('200.00') }],
    });
    expect(sandbox.ledger.receiptsShort()).toEqual([]);
  });

  it('is nothing where the store sends no receipts', async () => {
    const sandbox = await selling({});
    await paid(sandbox, { receipt: undefined });
    expect(sandbox.ledger.receipts()).toEqual([]);
  });
});

describe('the control of receipts', () => {
  it('changes how a store sends them', async () => {
    const sandbox = await selling({});
    const change = (receipts: unknown) => control(sandbox, '/stores/test_shop/change', { receipts });
    expect((await change({ scenario: 'with_payment' })).body).toMatchObject({
      receipts: { scenario: 'with_payment', provider: 'yoo_receipt' },
    });
    expect((await change({ scenario: 'after_payment' })).body).toMatchObject({
      receipts: { scenario: 'after_payment', provider: 'atol' },
    });
    expect((await change({ scenario: 'never' })).status).toBe(400);
    expect((await change({ scenario: 'with_payment', provider: 'till' })).status).toBe(400);
    expect((await change(null)).body).toMatchObject({ receipts: null });
  });

  it('is part of the profile yookassa alone', async () => {
    await expect(started({ receipts: together })).rejects.toThrow('the profile yookassa has them');
  });

  it('has buttons on the control page: the fate of the next one, and an answer of the register', async () => {
    const sandbox = await selling({ receipts: together });
    const send = (action: string, form: Record<string, string>) =>
      fetch(`${sandbox.url}/sandbox/do/${action}`, { method: 'POST', body: new URLSearchParams(form) });
    await send('next-receipt', { fate: 'lost' });
    const id = await paid(sandbox);
    await sandbox.clock.advance(86_400_000);
    expect(await registration(sandbox, `/v3/payments/${id}`)).toBe('pending');
    const [lost] = sandbox.receipts.list();
    const page = await send('finish-receipt', { id: lost?.id ?? '', outcome: 'canceled' });
    expect(await registration(sandbox, `/v3/payments/${id}`)).toBe('canceled');
    const text = await page.text();
    expect(text).toContain('data-testid="receipts-short"');
    expect(text).toContain('The store sends them with its payments, to atol.');
    expect((await send('next-receipt', { fate: 'kept' })).status).toBe(400);
  });
});
