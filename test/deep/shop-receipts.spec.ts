import { jest } from '@jest/globals';
import { Client } from 'pg';
import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import { unchanged } from '../support/form-fields.js';
import { startShopWithReceipts, type TestShop } from '../support/shop.js';
import { linkOn, Staff, sumAsked, sure } from '../support/staff.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('the shop with receipts', () => {
  let test: TestShop;
  let buyer: Buyer;
  let staff: Staff;

  beforeAll(async () => {
    test = await startShopWithReceipts();
    buyer = new Buyer(test.shop.url);
    staff = new Staff(test.shop.url);
  });
  afterAll(() => test.close());

  const becomes = (reference: string, state: string) => staff.orderBecomes(reference, state);
  const pageOf = async (path: string) =>
    (await (await buyer.open(path)).text()).replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');

  async function bought(
    quantity: number,
    { wayToPay = '', product = 'milk-oolong' } = {},
  ): Promise<{ reference: string; serviceId: string }> {
    const reference = await buyer.newReference(product);
    await buyer.checkOut(reference, product, quantity, { wayToPay });
    const serviceId = (await staff.order(reference)).payments[0]?.serviceId ?? '';
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await becomes(reference, 'paid');
    return { reference, serviceId };
  }

  const receiptsOf = (serviceId: string) =>
    test.sandbox.receipts
      .list()
      .filter((receipt) => receipt.payment_id === serviceId)
      .toReversed();
  const listed = (...texts: readonly string[]) => staff.boardShows('receipts', ...texts);
  const noneListed = () => listed('No receipt needs a person');

  it('offers card, e-wallet, SBP and SberPay, and no SBP where the amount is held', async () => {
    const ways = async (slug: string) =>
      [...(await pageOf(`/products/${slug}/checkout`)).matchAll(/<option value="(\w*)"/g)].map(
        ([, way]) => way,
      );
    expect(await ways('fireweed')).toEqual(['', 'bank_card', 'wallet', 'sbp', 'bank_app_pay']);
    expect(await ways('stoneware-teapot')).toEqual(['', 'bank_card', 'wallet', 'bank_app_pay']);
  });

  it('sends a purchase by SBP with a receipt of every piece to the buyer’s e-mail', async () => {
    const { serviceId } = await bought(2, { wayToPay: 'sbp' });
    expect(test.sandbox.payments.get(serviceId).payment_method?.type).toBe('sbp');
    const item = {
      description: 'Milk Oolong',
      amount: { value: '1234.50', currency: 'RUB' },
      quantity: 2,
      vat_code: 11,
      measure: 'piece',
      payment_subject: 'commodity',
      payment_mode: 'full_payment',
    };
    expect(receiptsOf(serviceId)).toMatchObject([{ type: 'payment', items: [item] }]);
    const database = new Client(test.databaseUrl);
    await database.connect();
    const { rows } = await database.query(
      `SELECT personal FROM payments_operations WHERE kind = 'create' ORDER BY id DESC LIMIT 1`,
    );
    await database.end();
    expect(JSON.stringify(rows)).toContain('anna@example.com');
  });

  it('refunds pieces, a sum and the rest with receipts that add up to the money', async () => {
    const { reference, serviceId } = await bought(3);
    const ofSum = async (amount: string) => staff.refund(reference, await staff.refundKey(reference), amount);
    const ofPieces = async (pieces: string) =>
      staff.refundPieces(reference, await staff.refundKey(reference), pieces);
    /** Until then the page reloads itself, without a form. */
    const handled = (count: number) =>
      eventually(
        () => staff.order(reference),
        ({ effects, standing }) => effects.length === 1 + count && standing !== 'settling',
      );
    expect((await ofPieces('1')).status).toBe(303);
    await handled(1);
    expect((await ofSum('100,01')).status).toBe(303);
    await handled(2);
    const tooMuch = await ofSum('2369');
    expect(tooMuch.status).toBe(422);
    expect((await tooMuch.text()).replaceAll('\u00a0', ' ')).toContain('Only 2 368,99 ₽ is left to refund.');
    expect((await ofPieces('2')).status).toBe(303);
    await becomes(reference, 'refunded');
    const refunds = receiptsOf(serviceId).filter(({ type }) => type === 'refund');
    expect(refunds.map(({ items }) => items)).toMatchObject([
      [{ quantity: 1, amount: { value: '1234.50' } }],
      [
        { quantity: 1, amount: { value: '50.00' } },
        { quantity: 1, amount: { value: '50.01' } },
      ],
      expect.anything(),
    ]);
    expect(test.sandbox.ledger.report().receiptsShort).toEqual([]);
  });

  it('asks with what pieces are worth by now, asks again once that has changed, and refunds what it asked', async () => {
    const { reference, serviceId } = await bought(3);
    const refunded = (value: string) =>
      eventually(
        () => staff.order(reference),
        ({ money, standing }) => money?.refunded.value === value && standing !== 'settling',
      );
    const refundSum = async (amount: string) => {
      await staff.refund(reference, await staff.refundKey(reference), amount);
    };
    await refundSum('100,01');
    await refunded('100.01');
    const ofPiece = { refundKey: await staff.refundKey(reference), pieces: '1' };
    const answered = async (fields: Record<string, string>) => {
      const answer = await staff.send(`/staff/orders/${reference}/refund`, {}, { ...ofPiece, ...fields });
      return { status: answer.status, page: (await answer.text()).replaceAll('\u00a0', ' ') };
    };
    const asked = await answered({});
    // 3603.49 is left of three.
    expect(asked.page).toContain('Refund 1 201,16 ₽ for 1 piece?');
    await refundSum('1000');
    await refunded('1100.01');
    const again = await answered({ sum: sumAsked(asked.page), ...sure });
    expect(again.status).toBe(200);
    expect(again.page).toContain('Refund 867,83 ₽ for 1 piece?');
    expect(again.page).toContain('The sum has changed meanwhile.');
    expect(test.sandbox.ledger.totals(serviceId).refunded).toBe('1100.01');
    const done = { sum: sumAsked(again.page), ...sure };
    expect((await answered(done)).status).toBe(303);
    await refunded('1967.84');
    // Pressed twice, it is the same refund.
    expect((await answered(done)).status).toBe(303);
    await staff.refundPieces(reference, await staff.refundKey(reference), '2');
    await becomes(reference, 'refunded');
    const ofPieces = receiptsOf(serviceId).filter(({ type }) => type === 'refund');
    expect(ofPieces.slice(2).map(({ items }) => items)).toMatchObject([
      [{ quantity: 1, amount: { value: '867.83' } }],
      [{ quantity: 2, amount: { value: '867.83' } }],
    ]);
    expect(test.sandbox.ledger.report().receiptsShort).toEqual([]);
  });

  it('asks with what was paid for pieces where the service has taken a discount off', async () => {
    const reference = await buyer.newReference('milk-oolong');
    await buyer.checkOut(reference, 'milk-oolong', 3);
    const serviceId = (await staff.order(reference)).payments[0]?.serviceId ?? '';
    test.sandbox.payments.pay(serviceId, {
      outcome: 'succeed',
      method: 'sber_loan',
      loan: 'installments_6',
      discount: '103.50',
    });
    await becomes(reference, 'paid');
    expect((await staff.refundPieces(reference, await staff.refundKey(reference), '1')).status).toBe(303);
    await becomes(reference, 'partially_refunded');
    expect(test.sandbox.ledger.totals(serviceId)).toMatchObject({ captured: '3600.00', refunded: '1200.00' });
  });

  it('gives back piece by piece all that was paid, though no price hits what the service has left of it', async () => {
    const reference = await buyer.newReference('milk-oolong');
    await buyer.checkOut(reference, 'milk-oolong', 3);
    const serviceId = (await staff.order(reference)).payments[0]?.serviceId ?? '';
    const discount = { loan: 'installments_6', discount: '203.51' } as const;
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed', method: 'sber_loan', ...discount });
    await becomes(reference, 'paid');
    const refunded = [];
    for (const state of ['partially_refunded', 'partially_refunded', 'refunded'] as const) {
      const answer = await staff.refundPieces(reference, await staff.refundKey(reference), '1');
      expect(answer.status).toBe(303);
      await becomes(reference, state);
      refunded.push(test.sandbox.ledger.totals(serviceId).refunded);
    }
    expect(refunded).toEqual(['1166.66', '2333.32', '3499.99']);
    expect(test.sandbox.ledger.report().receiptsShort).toEqual([]);
  });

  it('refunds once what is sent twice, and the whole with the receipt that the service has', async () => {
    const { reference, serviceId } = await bought(2);
    const refundKey = await staff.refundKey(reference);
    const twice = [1, 2].map(() => staff.refundPieces(reference, refundKey, '1'));
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([303, 303]);
    await becomes(reference, 'partially_refunded');
    expect((await staff.refundPieces(reference, refundKey, '1')).status).toBe(303);
    expect(test.sandbox.ledger.totals(serviceId).refunded).toBe('1234.50');

    const whole = await bought(1);
    await staff.refund(whole.reference, await staff.refundKey(whole.reference), '1234,50');
    await becomes(whole.reference, 'refunded');
    expect(test.sandbox.ledger.report().receiptsShort).toEqual([]);
  });

  it('settles by a second receipt, once, what was paid in advance and not given back, when it is handed over', async () => {
    const { reference, serviceId } = await bought(3, { product: 'stoneware-cup' });
    const act = (what: string, fields = {}) => staff.send(`/staff/orders/${reference}/${what}`, {}, fields);
    expect(await pageOf(`/orders/${reference}`)).toContain('as soon as it is out of the kiln');
    await staff.refundPieces(reference, await staff.refundKey(reference), '1');
    await becomes(reference, 'partially_refunded');
    expect(await staff.read(`/staff/orders/${reference}`)).toContain('Handed over');
    const clicks = await Promise.all([act('hand-over'), act('hand-over')]);
    expect(clicks.map((answer) => [answer.status, answer.headers.get('location')])).toEqual([
      [303, `/staff/orders/${reference}`],
      [303, `/staff/orders/${reference}`],
    ]);
    expect((await act('hand-over')).status).toBe(303);
    const settled = eventually(
      () => staff.read(`/staff/orders/${reference}`),
      (page) => !page.includes('/hand-over'),
    );
    expect(await settled).toContain('Refund pieces');
    await staff.refundPieces(reference, await staff.refundKey(reference), '1');
    await eventually(
      () => staff.order(reference),
      ({ effects }) => effects.length === 3,
    );
    const cups = (quantity: number, mode: string) => [
      { quantity, amount: { value: '1450.00' }, payment_mode: mode },
    ];
    expect(receiptsOf(serviceId)).toMatchObject([
      { type: 'payment', items: cups(3, 'full_prepayment'), settlements: [{ type: 'cashless' }] },
      { type: 'refund', items: cups(1, 'full_prepayment') },
      {
        type: 'payment',
        items: cups(2, 'full_payment'),
        settlements: [{ type: 'prepayment', amount: { value: '2900.00' } }],
      },
      { type: 'refund', items: cups(1, 'full_payment') },
    ]);
    expect(test.sandbox.ledger.report().receiptsShort).toEqual([]);
  });

  it('hands over later what the service does not answer for, and nothing that was not paid in advance', async () => {
    const { reference, serviceId } = await bought(1, { product: 'stoneware-cup' });
    const handOver = async (of: string) => (await staff.send(`/staff/orders/${of}/hand-over`)).headers;
    test.sandbox.faults.order({ on: 'receipt', fault: 'reset_after_commit', times: 1_000 });
    const notice = `/staff/orders/${reference}?notice=receipt_unknown`;
    expect((await handOver(reference)).get('location')).toBe(notice);
    expect(await staff.read(notice)).toContain('is sent once');
    expect(await pageOf(`/orders/${reference}`)).toContain('as soon as it is out of the kiln');
    test.sandbox.faults.clear();
    expect((await handOver(reference)).get('location')).toBe(`/staff/orders/${reference}`);
    expect(await pageOf(`/orders/${reference}`)).toContain('It is in your hands.');
    expect(receiptsOf(serviceId)).toHaveLength(2);

    const stocked = await bought(1);
    await handOver(stocked.reference);
    expect(receiptsOf(stocked.serviceId)).toHaveLength(1);
    const unpaid = await buyer.newReference('stoneware-cup');
    await buyer.checkOut(unpaid, 'stoneware-cup');
    await handOver(unpaid);
    expect(await staff.order(unpaid)).toMatchObject({ handedOverAt: null });
  });

  it('hands nothing over without its receipt, and says so', async () => {
    test.sandbox.receipts.next({ status: 'canceled' });
    const { reference } = await bought(1, { product: 'stoneware-cup' });
    await test.sandbox.clock.advance(5 * MINUTE_MS);
    const { headers } = await staff.send(`/staff/orders/${reference}/hand-over`);
    const notice = `/staff/orders/${reference}?notice=receipt_not_possible`;
    expect(headers.get('location')).toBe(notice);
    expect(await staff.read(notice)).toContain('make it by hand.');
    await listed('close-receipt');
    await staff.decide('receipts', 'close-receipt', { why: 'Made by hand' });
  });

  it('hands over what the service refused to register, once its receipt was sent again', async () => {
    const { reference, serviceId } = await bought(1, { product: 'stoneware-cup' });
    test.sandbox.faults.order({ on: 'receipt', fault: 'forbidden' });
    await staff.send(`/staff/orders/${reference}/hand-over`);
    expect(await staff.order(reference)).toMatchObject({ handedOverAt: null });
    await listed('send-receipt');
    await staff.decide('receipts', 'send-receipt', { why: 'The register works again' });
    await staff.send(`/staff/orders/${reference}/hand-over`);
    expect(await staff.order(reference)).toMatchObject({ handedOverAt: expect.any(String) });
    expect(receiptsOf(serviceId)).toHaveLength(2);
  });

  it('hands over with its receipt what the database forgot and the service has', async () => {
    const { reference, serviceId } = await bought(1, { product: 'stoneware-cup' });
    const database = new Client(test.databaseUrl);
    await database.connect();
    await database.query(
      `WITH forgotten AS (
         UPDATE payments_payments SET prepaid_minor = 0, unsettled_minor = 0, unsettled_since = NULL, unsettled_due_at = NULL
         WHERE service_id = $1 RETURNING id
       )
       DELETE FROM payments_operations WHERE payment_id IN (SELECT id FROM forgotten)`,
      [serviceId],
    );
    await database.end();
    await staff.send(`/staff/orders/${reference}/hand-over`);
    expect(await staff.order(reference)).toMatchObject({ handedOverAt: expect.any(String) });
    expect(receiptsOf(serviceId)).toHaveLength(2);
  });

  it('counts as handed over, with one receipt, what was handed over on the board', async () => {
    const { reference, serviceId } = await bought(1, { product: 'stoneware-cup' });
    const [payment] = (await staff.order(reference)).payments;
    await staff.answer(`payments/${payment?.id}/hand-over`, { why: 'The buyer came' });
    await eventually(
      async () => {
        await test.sandbox.clock.advance(MINUTE_MS);
        return staff.board(`payments/${payment?.id}`);
      },
      (page) => !page.includes('Hand over…'),
    );
    expect(await staff.read('/staff')).toContain(reference);
    await staff.send(`/staff/orders/${reference}/hand-over`);
    expect(await staff.order(reference)).toMatchObject({ handedOverAt: expect.any(String) });
    expect(await staff.read('/staff')).not.toContain(reference);
    expect(receiptsOf(serviceId)).toHaveLength(2);
  });

  it('takes no e-mail that a receipt cannot be sent to, and no way to pay that is not offered', async () => {
    const faultOf = async (productSlug: string, changes: Record<string, string>) => {
      const answer = await buyer.checkOut(await buyer.newReference(productSlug), productSlug, 1, changes);
      const [, name = ''] = /id="(\w+)-fault"/.exec(await answer.text()) ?? [];
      return [answer.status, name];
    };
    const emails = [
      '',
      'anna',
      '"an,na"@example.com',
      `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(200)}.ru`,
    ];
    for (const email of emails) expect(await faultOf('fireweed', { email })).toEqual([422, 'email']);
    expect(await faultOf('fireweed', { wayToPay: 'cash' })).toEqual([422, 'wayToPay']);
    expect(await faultOf('stoneware-teapot', { wayToPay: 'sbp' })).toEqual([422, 'wayToPay']);
  });

  it('shows the e-mail in full to nobody', async () => {
    const { reference } = await bought(1);
    const shown = [
      await pageOf(`/orders/${reference}`),
      await pageOf(`/orders/${reference}.json`),
      await staff.read(`/staff/orders/${reference}`),
      await staff.read(`/staff/orders/${reference}.json`),
    ];
    for (const page of shown) expect(page).not.toContain('anna@');
    expect(shown[2]).toContain('a…@example.com');
  });

  it('lists a receipt that failed for the staff, until one of them says what was done', async () => {
    test.sandbox.receipts.next({ status: 'canceled' });
    const { reference } = await bought(1);
    await test.sandbox.clock.advance(5 * MINUTE_MS);
    await staff.boardShows('overview', '1 receipt that failed, is late or is missing');
    const page = await listed('support: it cannot be sent a second time from here');
    expect(page).not.toContain('Send again');
    const question = linkOn(page, 'close-receipt');
    const why = 'Support registered it, case 17';
    const resolve = async (fields: Record<string, string>, headers = {}) => {
      const form = unchanged(await staff.board(question));
      const address = `/staff/payments/${question.replace(/\?.*/, '')}`;
      return (await staff.send(address, headers, { ...form, ...fields })).status;
    };
    expect(await resolve({ why }, { Origin: 'https://evil.example' })).toBe(403);
    expect((await buyer.open(`/staff/payments/${question}`)).status).toBe(401);
    expect(await resolve({ why: '' })).toBe(422);
    expect(await resolve({ why: 'x'.repeat(901) })).toBe(422);
    await listed('close-receipt');
    expect(await resolve({ why })).toBe(303);
    await noneListed();
    const [payment] = (await staff.order(reference)).payments;
    const told = await staff.board(`payments/${payment?.id}?t=people`);
    expect(told).toContain('staff: resolved');
    expect(told).toContain(why);
    expect(await pageOf(`/orders/${reference}`)).not.toContain(why);
  });

  describe('lists the receipt of a hand-over that failed', () => {
    const why = 'The register works again';

    /** The module asks what became of a receipt at its own pace. */
    const later = <Seen>(read: () => Promise<Seen>, isThere: (seen: Seen) => boolean) =>
      eventually(async () => {
        await test.sandbox.clock.advance(MINUTE_MS);
        return read();
      }, isThere);

    async function failed() {
      const { reference, serviceId } = await bought(1, { product: 'stoneware-cup' });
      const registered = (count: number) =>
        later(
          async () => receiptsOf(serviceId).filter(({ status }) => status === 'succeeded').length,
          (seen) => seen === count,
        );
      await registered(1);
      await later(
        () => staff.order(reference),
        ({ payments: [payment] }) =>
          payment?.timeline.some(({ name }) => name === 'receipt.succeeded') === true,
      );
      test.sandbox.receipts.next({ status: 'canceled' });
      await staff.send(`/staff/orders/${reference}/hand-over`);
      const page = await later(
        () => staff.board('receipts'),
        (shown) => shown.includes('Send again'),
      );
      expect(await pageOf(`/orders/${reference}`)).toContain('<div class="state good">');
      const question = linkOn(page, 'send-receipt');
      const form = unchanged(await staff.board(question));
      const address = `/staff/payments/${question.replace(/\?.*/, '')}`;
      const send = (fields: Record<string, string>) => staff.send(address, {}, { ...form, ...fields });
      return { address, reference, registered, serviceId, send };
    }

    it('and sends it again once, whoever presses the button twice', async () => {
      const { address, registered, serviceId, send } = await failed();
      expect((await buyer.send(address, { why })).status).toBe(401);
      expect((await new Staff(test.shop.url, 'stranger').send(address, {}, { why })).status).toBe(401);
      expect((await send({ why: '' })).status).toBe(422);
      expect(receiptsOf(serviceId)).toHaveLength(2);

      const clicks = await Promise.all([send({ why }), send({ why })]);
      clicks.push(await send({ why }));
      expect(clicks.map(({ status }) => status)).toEqual([303, 303, 303]);
      await noneListed();
      await registered(2);
      expect(receiptsOf(serviceId).map(({ status }) => status)).toEqual([
        'succeeded',
        'canceled',
        'succeeded',
      ]);
    });

    it('and sends it to another email, which only the service learns', async () => {
      const { reference, registered, serviceId, send } = await failed();
      const faulty = ['anna', '"an,na"@example.com', `${'a'.repeat(250)}@example.com`];
      for (const email of faulty) {
        const refused = await send({ why, email });
        expect([refused.status, (await refused.text()).includes('No receipt reaches that email')]).toEqual([
          422,
          true,
        ]);
      }
      expect(receiptsOf(serviceId)).toHaveLength(2);

      const logs = [jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')];
      const email = 'other.anna@example.com';
      expect((await send({ why, email: ` ${email} ` })).status).toBe(303);
      await registered(2);
      const lines = logs.flatMap(({ mock }) => mock.calls.map(([line]) => String(line)));
      for (const log of logs) log.mockRestore();
      const [, first, second] = receiptsOf(serviceId);
      expect(second).toMatchObject({ status: 'succeeded', items: first?.items });
      const [payment] = (await staff.order(reference)).payments;
      const shown = [await staff.board('receipts'), await staff.board(`payments/${payment?.id}`)];
      for (const text of [...shown, await staff.read(`/staff/orders/${reference}`), ...lines])
        expect(text).not.toContain(email);
      const kept = await rowsWith(email);
      expect(kept).toEqual(['payments_operations.personal']);
    });

    /** Every column that has this text somewhere, in tables of the module and of the shop. */
    async function rowsWith(text: string): Promise<string[]> {
      const database = new Client(test.databaseUrl);
      await database.connect();
      try {
        const { rows } = await database.query<{ table_name: string; column_name: string }>(
          `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()
           AND table_name ~ '^(payments|shop)_'`,
        );
        const found: string[] = [];
        for (const { table_name: table, column_name: column } of rows) {
          const { rowCount } = await database.query(
            `SELECT FROM "${table}" WHERE strpos("${column}"::text, $1) > 0 LIMIT 1`,
            [text],
          );
          if (rowCount === 1) found.push(`${table}.${column}`);
        }
        return found;
      } finally {
        await database.end();
      }
    }

    it('and says why it cannot be sent again', async () => {
      const { serviceId, send } = await failed();
      const database = new Client(test.databaseUrl);
      await database.connect();
      // As once the contact has been erased.
      await database.query(`UPDATE payments_operations SET personal = NULL WHERE kind = 'receipt'`);
      await database.end();
      const refused = await send({ why });
      expect([refused.status, (await refused.text()).includes('That was not done')]).toEqual([422, true]);
      expect(receiptsOf(serviceId)).toHaveLength(2);
      await staff.decide('receipts', 'close-receipt', { why: 'Made by hand' });
      await noneListed();
    });
  });

  it('lists a receipt that is late, until it is registered', async () => {
    test.sandbox.receipts.next({ status: 'pending' });
    const { serviceId } = await bought(1);
    await test.sandbox.clock.advance(3 * DAY_MS + MINUTE_MS);
    await listed('late');
    test.sandbox.receipts.finish(receiptsOf(serviceId)[0]?.id ?? '', 'succeeded');
    await test.sandbox.clock.advance(DAY_MS / 4);
    await noneListed();
    expect(await staff.boardShows('overview', 'Nothing needs a person')).not.toContain('receipt that failed');
  });
});
