import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../support/eventually.js';
import { basicOf, get, held, order, paid, pending, post, realShop, started } from './support.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a sandbox with a state file', () => {
  let folder: string;
  let stateFile: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-spec-'));
    stateFile = join(folder, 'new', 'test_shop.state');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const start = (startAt?: Date) => started({ stateFile, ...(startAt && { startAt }) });

  it('still knows what happened before it was killed: each change was written when it was made', async () => {
    const killed = await start();
    const [hold, charged] = [await held(killed), await paid(killed)];
    const refund = killed.refunds.make(charged, '10.00');
    const open = await post(killed, '/v3/payments', 'open', order());

    // A killed process leaves what is in its file now: it is never closed.
    const next = await start();
    for (const id of [hold, charged, String(open.body['id'])]) {
      const { confirmation: _here, ...known } = next.payments.get(id);
      expect(killed.payments.get(id)).toMatchObject(known);
    }
    expect(next.payments.list().map(({ id }) => id)).toEqual(killed.payments.list().map(({ id }) => id));
    expect(next.refunds.list()).toEqual([refund]);
    expect(next.ledger.entries()).toEqual(killed.ledger.entries());
    expect(await readdir(join(folder, 'new'))).toEqual(['test_shop.state']);

    const captured = await post(next, `/v3/payments/${hold}/capture`, 'capture', {});
    expect(captured.body).toMatchObject({ status: 'succeeded' });
    expect(await post(next, '/v3/payments', 'open', order())).toEqual(open);
    expect(next.payments.list()).toHaveLength(3);
  });

  it('pays by a credit whose time to think ends in the next run', async () => {
    const options = { ...realShop, profile: 'yookassa', stateFile } as const;
    const first = await started(options);
    const body = order({
      amount: { value: '60000.00', currency: 'RUB' },
      capture: true,
      payment_method_data: { type: 'sber_loan' },
    });
    const reply = await post(first, '/v3/payments', 'loan', body, basicOf(realShop));
    const id = String(reply.body['id']);
    first.payments.pay(id, { outcome: 'suspend' });
    await first.close();

    const second = await started(options);
    expect(second.payments.get(id).status).toBe('pending');
    await second.clock.advance(4 * HOUR_MS);
    expect(second.payments.get(id).status).toBe('succeeded');
  });

  it('continues where its clock was, and does what became due meanwhile', async () => {
    const first = await start();
    await first.clock.advance(DAY_MS);
    const [hold, open] = [await held(first), await pending(first)];
    await first.close();

    const second = await start();
    expect(second.clock.offsetMs()).toBeGreaterThan(DAY_MS - HOUR_MS);
    await second.clock.advance(2 * HOUR_MS);
    expect(second.payments.get(open)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'expired_on_confirmation' },
    });
    expect(second.payments.get(hold).status).toBe('waiting_for_capture');
    await second.close();

    const late = await start(new Date(Date.now() + 9 * DAY_MS));
    await eventually(
      () => Promise.resolve(late.payments.get(hold)),
      ({ cancellation_details: details }) => details?.reason === 'expired_on_capture',
    );
  });

  it('still charges a method that was saved, and ends one whose hour to confirm it is over', async () => {
    const options = { ...realShop, profile: 'yookassa', stateFile } as const;
    const authorization = basicOf(realShop);
    const first = await started(options);
    const { id } = first.paymentMethods.bind();
    const asked = { type: 'bank_card', confirmation: { type: 'redirect', return_url: 'http://shop.test/' } };
    const { body } = await post(first, '/v3/payment_methods', 'bind', asked, authorization);
    const open = String(body['id']);
    await first.close();

    const second = await started(options);
    const charge = { amount: { value: '10.00', currency: 'RUB' }, capture: true, payment_method_id: id };
    expect(await post(second, '/v3/payments', 'again', charge, authorization)).toMatchObject({
      status: 200,
      body: { status: 'succeeded' },
    });
    expect(second.paymentMethods.list().find((method) => method.id === open)?.status).toBe('pending');
    await second.clock.advance(HOUR_MS);
    expect(second.paymentMethods.list().find((method) => method.id === open)?.status).toBe('inactive');
  });

  it('does not start with the state of another store or profile, and names both', async () => {
    await (await start()).close();
    for (const other of [{ shopId: '4711' }, { profile: 'yookassa' as const }])
      await expect(started({ stateFile, ...other })).rejects.toThrow(
        'is the state of store test_shop in the profile documented: start the sandbox with these, or name another file',
      );
  });

  it('does not start with a file of another kind, and says what to do', async () => {
    stateFile = join(folder, 'odd.state');
    for (const bytes of [Buffer.from('{"payments":[]}'), Buffer.alloc(0)]) {
      await writeFile(stateFile, bytes);
      await expect(start()).rejects.toThrow(`${stateFile} is no state of this sandbox: remove it`);
    }
  });
});

describe('a sandbox that was started again without a state file', () => {
  it.each([
    ['GET', '/v3/payments/of-before'],
    ['POST', '/v3/payments/of-before/capture'],
    ['POST', '/v3/payments/of-before/cancel'],
    ['POST', '/v3/refunds'],
    ['GET', '/v3/refunds/of-before'],
  ])('answers what it does not know with what to do: %s %s', async (method, path) => {
    const sandbox = await started();
    const refund = { payment_id: 'of-before', amount: { value: '10.00', currency: 'RUB' } };
    const reply = await (method === 'GET' ? get(sandbox, path) : post(sandbox, path, 'k', refund));
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(reply.body['description']).toMatch(/not found or forbidden\. .*--state-file.*another shop id/);
  });

  it('answers a method that was saved before likewise', async () => {
    const sandbox = await started();
    const charge = order({ payment_method_id: 'of-before', capture: true });
    const { status, body } = await post(sandbox, '/v3/payments', 'k', charge);
    expect([status, body['parameter']]).toEqual([400, 'payment_method_id']);
    expect(body['description']).toMatch(/no such saved payment method\. .*--state-file/);
  });
});
