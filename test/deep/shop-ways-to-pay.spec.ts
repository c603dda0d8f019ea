import { Buyer } from '../support/buyer.js';
import { hasty } from '../support/payments-host.js';
import { startShopWithReceipts, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

const HOUR_MS = 3_600_000;

describe('an order paid in the way that its buyer chose', () => {
  let test: TestShop;
  let buyer: Buyer;
  let staff: Staff;

  beforeAll(async () => {
    test = await startShopWithReceipts();
    // These tests cause errors on purpose, and they are logged as errors.
    test.shop.app.useLogger(false);
    buyer = new Buyer(test.shop.url);
    staff = new Staff(test.shop.url);
  });
  afterAll(() => test.close());
  afterEach(() => test.sandbox.faults.clear());

  async function placed(wayToPay: string, product = 'fireweed'): Promise<{ reference: string; id: string }> {
    const reference = await buyer.newReference(product);
    await buyer.checkOut(reference, product, 1, { wayToPay });
    return { reference, id: await latestId(reference) };
  }
  const idsOf = async (reference: string) =>
    (await staff.order(reference)).payments.map(({ serviceId }) => serviceId ?? '');
  const latestId = async (reference: string) => (await idsOf(reference)).at(-1) ?? '';
  const pageOf = async (path: string) => (await buyer.open(path)).text();
  const payBy = (reference: string, wayToPay: string, by = buyer) =>
    by.send(`/orders/${reference}/pay`, { wayToPay });
  const becomes = (reference: string, state: string) => staff.orderBecomes(reference, state);
  const confirmationOf = (id: string) => test.sandbox.payments.get(id).confirmation;
  const tokenOf = (id: string) => confirmationOf(id)?.confirmation_token ?? 'none';
  const otherWays = async (reference: string) =>
    [...(await pageOf(`/orders/${reference}`)).matchAll(/name="wayToPay" value="(\w+)"/g)].map(
      ([, way]) => way,
    );

  it('has the widget, with the payment’s token, on its own page by card', async () => {
    const { reference, id } = await placed('bank_card');
    const answer = await buyer.open(`/orders/${reference}`);
    const page = await answer.text();
    expect(tokenOf(id)).toMatch(/^ct-/);
    expect(page).toContain(`data-token="${tokenOf(id)}"`);
    expect(page).toContain(`data-return-url="${test.shop.url}/orders/${reference}/return"`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).toContain(`; script-src 'self' ${test.sandbox.url}; frame-src ${test.sandbox.url};`);
    expect(policy).not.toMatch(/unsafe/);
  });

  it('has the code on its own page by SberPay, and looks again until it is paid', async () => {
    const { reference, id } = await placed('bank_app_pay', 'stoneware-teapot');
    const answer = await buyer.open(`/orders/${reference}`);
    const page = await answer.text();
    expect(page).toContain(`href="${confirmationOf(id)?.confirmation_data}"`);
    expect(page).toContain('<noscript\n      ><meta http-equiv="refresh" content="3;url=?looks=1"');
    expect(answer.headers.get('content-security-policy')).not.toContain(test.sandbox.url);
    test.sandbox.payments.pay(id, { outcome: 'succeed' });
    await becomes(reference, 'held');
    const held = await pageOf(`/orders/${reference}`);
    expect(held).not.toMatch(/http-equiv|qr-code|wayToPay/);
  });

  it('shows token and code to nobody but its buyer', async () => {
    const [card, code] = [await placed('bank_card'), await placed('bank_app_pay')];
    const secrets = [tokenOf(card.id), confirmationOf(code.id)?.confirmation_data ?? 'none'];
    for (const { reference } of [card, code]) {
      const other = await placed('bank_card');
      const shown = [
        await pageOf(`/orders/${reference}.json`),
        await staff.read(`/staff/orders/${reference}`),
        await staff.read(`/staff/orders/${reference}.json`),
        await pageOf(`/orders/${other.reference}`),
        await pageOf(`/orders/${reference.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))}`),
      ];
      for (const page of shown) for (const secret of secrets) expect(page).not.toContain(secret);
    }
  });

  it('stays as it is when its checkout is sent again with another way', async () => {
    const { reference, id } = await placed('bank_card');
    const answer = await buyer.checkOut(reference, 'fireweed', 1, { wayToPay: 'wallet' });
    expect(answer.headers.get('location')).toBe(`/orders/${reference}`);
    expect(await idsOf(reference)).toEqual([id]);
    expect(await pageOf(`/orders/${reference}`)).toContain(tokenOf(id));
  });

  it('can be paid another way, clicked five times at once: the first payment gives way to one', async () => {
    const { reference, id } = await placed('bank_card');
    expect(await otherWays(reference)).toEqual(['wallet', 'sbp', 'bank_app_pay', 'page']);
    const clicks = await Promise.all(Array.from({ length: 5 }, () => payBy(reference, 'wallet')));
    expect(clicks.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    const [first, second, ...more] = await idsOf(reference);
    expect([first, more]).toEqual([id, []]);
    const page = await pageOf(`/orders/${reference}`);
    expect(page).not.toContain(tokenOf(id));
    const again = await buyer.send(`/orders/${reference}/pay`);
    expect(again.headers.get('location')).toBe(confirmationOf(second ?? '')?.confirmation_url);
    test.sandbox.payments.pay(second ?? '', { outcome: 'succeed' });
    await becomes(reference, 'paid');
  });

  it('that was paid by the payment that gave way shows that, and no form', async () => {
    const { reference, id } = await placed('wallet');
    await payBy(reference, 'bank_card');
    const token = tokenOf(await latestId(reference));
    test.sandbox.payments.pay(id, { outcome: 'succeed' });
    await becomes(reference, 'paid');
    const page = await pageOf(`/orders/${reference}`);
    expect(page).not.toContain(token);
    expect(page).not.toContain('wayToPay');
  });

  it.each([
    ['paid', 'fireweed'],
    ['held', 'stoneware-teapot'],
  ])('that is %s, its notification lost, cannot be paid another way', async (state, product) => {
    const { reference, id } = await placed('bank_card', product);
    test.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    test.sandbox.payments.pay(id, { outcome: 'succeed' });
    const answer = await payBy(reference, 'wallet');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/orders/${reference}`]);
    await becomes(reference, state);
    expect(await idsOf(reference)).toEqual([id]);
    expect(test.sandbox.payments.get(id).status).toBe(state === 'paid' ? 'succeeded' : 'waiting_for_capture');
  });

  it('keeps its payment while the service does not say what became of it', async () => {
    const { reference, id } = await placed('bank_card');
    test.sandbox.faults.order({ on: 'read', fault: 'reset_before_commit', times: 1_000 });
    expect((await payBy(reference, 'wallet')).status).toBe(503);
    test.sandbox.faults.clear();
    const again = await buyer.send(`/orders/${reference}/pay`);
    expect(again.headers.get('location')).toBe(`/orders/${reference}`);
    expect(await idsOf(reference)).toEqual([id]);
  });

  it('goes on with the other way whose answer was lost', async () => {
    const { reference } = await placed('bank_card');
    const atHastyReplica = new Buyer((await test.addReplica({ payments: hasty })).url);
    test.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit', times: 1_000 });
    expect((await payBy(reference, 'wallet', atHastyReplica)).status).toBe(503);
    test.sandbox.faults.clear();
    const again = await buyer.send(`/orders/${reference}/pay`);
    const ids = await idsOf(reference);
    expect(ids).toHaveLength(2);
    expect(again.headers.get('location')).toBe(confirmationOf(ids[1] ?? '')?.confirmation_url);
  });

  it.each(['sbp', 'cash', '__proto__', 'bank_card,wallet'])(
    'takes no way that its page does not offer: %s',
    async (way) => {
      const { reference, id } = await placed('bank_card', 'stoneware-teapot');
      expect((await payBy(reference, way)).status).toBe(400);
      expect(await idsOf(reference)).toEqual([id]);
    },
  );

  it('begins again with a new token once the old one has run out', async () => {
    const { reference, id } = await placed('bank_card');
    const old = tokenOf(id);
    await test.sandbox.clock.advance(HOUR_MS + 60_000);
    await buyer.open(`/orders/${reference}/return`);
    await becomes(reference, 'payment_failed');
    expect(await pageOf(`/orders/${reference}`)).not.toContain(old);
    await buyer.send(`/orders/${reference}/pay`);
    const fresh = tokenOf(await latestId(reference));
    expect(fresh).toMatch(/^ct-/);
    expect(await pageOf(`/orders/${reference}`)).toContain(`data-token="${fresh}"`);
  });
});
