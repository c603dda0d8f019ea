import { good, page, submit, textOf } from './buyer-browser.js';
import { get, pending, started } from './support.js';

const emptyCard = { ...good, number: '5555555555554600' };

describe('the payment page', () => {
  it('shows what is paid for and how much', async () => {
    const sandbox = await started({ startAt: new Date('2030-06-15T00:00:00.000Z'), storeName: 'Tea & Cups' });
    const { status, text } = await page(sandbox, await pending(sandbox, { description: 'Tea, 2 kg' }));
    expect(status).toBe(200);
    expect(textOf(text, 'shop')).toBe('Tea &amp; Cups');
    expect(textOf(text, 'amount')).toBe('1\u00a0234,50\u00a0₽');
    expect(textOf(text, 'description')).toBe('Tea, 2 kg');
    expect(text).toContain('href="http://shop.test/back"');
    expect(text).toContain('5555 5555 5555 4600');
  });

  it('escapes what the merchant sent', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, {
      description: '<script>alert(1)</script>',
      confirmation: { type: 'redirect', return_url: 'http://shop.test/?a=1&b="><i>' },
    });
    const { text } = await page(sandbox, id);
    expect(text).not.toContain('<script>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).toContain('href="http://shop.test/?a=1&amp;b=&quot;&gt;&lt;i&gt;"');
  });

  it('says how long there is to pay, by the sandbox’s clock', async () => {
    const sandbox = await started({ startAt: new Date('2030-06-15T00:00:00.000Z') });
    const id = await pending(sandbox);
    expect(textOf((await page(sandbox, id)).text, 'time-left')).toMatch(/^(1 h|59 min) left to pay$/);
    await sandbox.clock.advance(50 * 60 * 1000);
    expect(textOf((await page(sandbox, id)).text, 'time-left')).toMatch(/^(10|9) min left to pay$/);
    await submit(sandbox, `${id}/pay`, good);
    expect(textOf((await page(sandbox, id)).text, 'time-left')).toBeUndefined();
  });

  it('lets no script run but its own, no style from elsewhere, and no other site frame it', async () => {
    const sandbox = await started();
    const { headers } = await fetch(`${sandbox.url}/checkout/${await pending(sandbox)}`);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'nonce-\S+'; script-src 'nonce-\S+'; connect-src 'self'$/,
    );
  });

  it('has no script where there is nothing for one to do', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await submit(sandbox, `${id}/cancel`);
    const answer = await fetch(`${sandbox.url}/checkout/${id}`);
    expect(answer.headers.get('content-security-policy')).toMatch(/; style-src 'nonce-\S+'$/);
    expect(await answer.text()).not.toContain('<script');
  });

  it('accepts a test card and sends the buyer back', async () => {
    const sandbox = await started({ startAt: new Date('2030-06-15T00:00:00.000Z') });
    const id = await pending(sandbox, { capture: true });
    expect(await submit(sandbox, `${id}/pay`, good)).toMatchObject({
      status: 303,
      location: 'http://shop.test/back',
    });
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      payment_method: {
        type: 'bank_card',
        title: 'Bank card *4444',
        card: {
          first6: '555555',
          last4: '4444',
          expiry_month: '12',
          expiry_year: '2039',
          card_type: 'MasterCard',
        },
      },
    });
  });

  it.each([
    ['000', '06/30'],
    ['9999', '07/30'],
    ['123', '01/99'],
  ])('accepts a test card with the CSC %s and the expiry %s', async (csc, expiry) => {
    const sandbox = await started({ startAt: new Date('2030-06-15T00:00:00.000Z') });
    const id = await pending(sandbox, { capture: true });
    expect((await submit(sandbox, `${id}/pay`, { ...good, csc, expiry })).status).toBe(303);
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'succeeded',
      payment_method: {
        card: { expiry_month: expiry.slice(0, 2), expiry_year: `20${expiry.slice(-2)}` },
      },
    });
  });

  it('offers only the method the merchant named', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { payment_method_data: { type: 'wallet' } });
    expect((await page(sandbox, id)).text).not.toContain('method-bank_card');
    expect((await submit(sandbox, `${id}/pay`, good)).status).toBe(422);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it.each([
    ['number', { number: '5555 5555 5555 4478' }, 'check the digits'],
    ['number', { number: '' }, 'Type the card number'],
    ['number', { number: '4242424242424242' }, 'Only the test cards'],
    ['expiry', { expiry: '13/39' }, 'MM/YY'],
    ['expiry', { expiry: '05/30' }, 'has passed'],
    ['csc', { csc: '12' }, 'Three or four digits'],
    ['csc', { csc: '12345' }, 'Three or four digits'],
  ])('says beside %s what is wrong with %j', async (field, change, message) => {
    const sandbox = await started({ startAt: new Date('2030-06-15T00:00:00.000Z') });
    const id = await pending(sandbox);
    const { status, text } = await submit(sandbox, `${id}/pay`, { ...good, ...change });
    expect(status).toBe(422);
    expect(textOf(text, `${field}-error`)).toContain(message);
    expect(text.match(/-error"[^>]*data-testid/g)).toHaveLength(1);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it('accepts a card to the end of its month by the sandbox clock', async () => {
    const sandbox = await started({ startAt: new Date('2030-06-30T23:00:00.000Z') });
    const id = await pending(sandbox);
    expect((await submit(sandbox, `${id}/pay`, { ...good, expiry: '06/30' })).status).toBe(303);
    const late = await pending(sandbox);
    await sandbox.clock.advance(60 * 60 * 1000 - 1000);
    const later = await pending(sandbox);
    await sandbox.clock.advance(1000);
    expect(sandbox.payments.get(late).status).toBe('canceled');
    expect((await submit(sandbox, `${later}/pay`, { ...good, expiry: '06/30' })).status).toBe(422);
  });

  it('shows why an attempt failed, offers another, and accepts it', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    const failed = await submit(sandbox, `${id}/pay`, emptyCard);
    expect(failed.status).toBe(422);
    expect(textOf(failed.text, 'payment-error')).toContain('not enough money');
    expect(sandbox.payments.get(id).status).toBe('pending');
    expect((await submit(sandbox, `${id}/pay`, good)).status).toBe(303);
    expect(sandbox.payments.get(id).status).toBe('waiting_for_capture');
    expect(sandbox.ledger.totals(id)).toMatchObject({ charges: 1, charged: '1234.50' });
  });

  it('cancels with the reason of the last attempt when the buyer gives up', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await submit(sandbox, `${id}/pay`, emptyCard);
    expect(await submit(sandbox, `${id}/cancel`)).toMatchObject({
      status: 303,
      location: 'http://shop.test/back',
    });
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'payment_network', reason: 'insufficient_funds' },
    });
  });

  it('cancels as declined when the buyer gives up without an attempt: no time has run out', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.payments.get(id).cancellation_details).toEqual({
      party: 'service',
      reason: 'general_decline',
    });
  });

  it('accepts no card beyond its limit, whatever the card', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { amount: { value: '350000.01', currency: 'RUB' } });
    const { text } = await submit(sandbox, `${id}/pay`, good);
    expect(textOf(text, 'payment-error')).toContain('beyond the limits');
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it('says that a finished payment is finished, and charges nothing more', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await submit(sandbox, `${id}/pay`, good);
    for (const { status, text } of [await page(sandbox, id), await submit(sandbox, `${id}/pay`, good)]) {
      expect(status).toBe(200);
      expect(textOf(text, 'payment-status')).toContain('is made');
      expect(text).toContain('href="http://shop.test/back"');
    }
    expect(sandbox.ledger.totals(id).charges).toBe(1);
  });

  it('stores no card number or CSC', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    const csc = '9876';
    const failed = await submit(sandbox, `${id}/pay`, { ...good, csc, expiry: '' });
    await submit(sandbox, `${id}/pay`, { ...good, csc });
    const everything = [failed.text.split('<details')[0], JSON.stringify(sandbox.payments.list())].join();
    expect(everything).not.toContain('value="5555');
    expect(everything).not.toContain('5555555555554444');
    // Ids may have these digits by chance.
    expect(everything).not.toMatch(new RegExp(`(?<![\\w-])${csc}(?![\\w-])`));
  });

  it('does not exist for an unknown payment', async () => {
    const sandbox = await started();
    expect((await page(sandbox, 'none')).status).toBe(404);
  });
});
