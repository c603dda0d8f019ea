import { ExpressAdapter } from '@nestjs/platform-express';
import { eventually } from '../support/eventually.js';
import { startBoardHost, type BoardHost } from './board-host.js';

const HANDLER = 'shop.mark-paid';
const AT = `handler?id=${HANDLER}`;

describe('on the board', () => {
  let board: BoardHost;
  beforeAll(async () => {
    board = await startBoardHost(() => new ExpressAdapter());
  });
  afterAll(() => board.close());

  const page = async (path: string, staff?: string) => (await board.get(path, staff)).text();

  it('a handler has a page, from which all that it gave up is run again', async () => {
    for (const reference of ['H-1', 'H-2']) {
      board.handlers.refused.add(reference);
      await board.paid(reference);
    }
    await eventually(
      () => board.operator.parkedDeliveries({ handlerId: HANDLER }),
      ({ length }) => length === 2,
    );
    expect(await board.operator.parkedDeliveries({ handlerId: 'shop.other' })).toEqual([]);
    expect(await page('handlers')).toContain(`href="${AT}"`);
    expect(await page('deliveries')).toContain(`href="${AT}"`);
    const text = await page(AT);
    for (const part of [
      'in this process',
      'Given up, the longest first',
      'no &lt;paper>',
      'Run all of it again',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Retire it');
    expect(await page(AT, 'reader')).not.toContain('method="post"');
    board.handlers.refused.clear();
    const answer = await board.post('deliveries/retry', { all: 'yes', handlerId: HANDLER });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `../${AT}`]);
    await eventually(
      () => board.operator.parkedDeliveries(),
      ({ length }) => length === 0,
    );
    expect(await page('handler?id=none')).toContain('There is no such handler');
  });

  it('a handler that no process has is retired by whoever types its id', async () => {
    const id = 'shop.gone';
    await board.database.asOwner(
      `INSERT INTO payments_handlers (id, event) VALUES ('${id}', 'payment.canceled')`,
    );
    expect(await page(`handler?id=${id}`)).toContain('Retire it');
    const wrong = await board.post('handlers/retire', { handlerId: id, typed: 'shop.gon' });
    expect([wrong.status, (await wrong.text()).includes('nothing was done')]).toEqual([422, true]);
    const reader = await board.post('handlers/retire', { handlerId: id, typed: id }, { 'x-staff': 'reader' });
    expect(reader.status).toBe(403);
    expect(await page(`handler?id=${id}`)).toContain('Retire it');
    const right = await board.post('handlers/retire', { handlerId: id, typed: id });
    expect([right.status, right.headers.get('location')]).toEqual([303, `../handler?id=${id}`]);
    expect(await page(`handler?id=${id}`)).toMatch(/Retired<\/dt><dd>.* by [^<]+<\/dd>/);
    // This very process has the other one.
    expect((await board.post('handlers/retire', { handlerId: HANDLER, typed: HANDLER })).status).toBe(400);
  });

  it('a store has a page of its settings, its notifications and what its sweeps may ask for', async () => {
    const [store] = (await board.operator.stores()).items;
    expect(await page('stores')).toContain(`href="store?store=${store?.id}"`);
    const known = await board.operator.store();
    expect(known).toMatchObject({ id: store?.id, kind: 'own', recoveries: [] });
    const text = await page(`store?store=${store?.id}`);
    for (const part of [known.accountId, 'they arrive', 'the shop itself', 'Requests left for polls'])
      expect(text).toContain(part);
    expect(text).not.toContain('Check it now');
    expect(await board.operator.checkStore()).toBe(false);
    await board.database.asOwner(
      `UPDATE payments_stores SET unannounced_changes = 3, unannounced_since = now()`,
    );
    expect(await page('store')).toContain('they do not arrive');
    expect((await board.get(`store?store=${crypto.randomUUID()}`)).status).toBe(404);
  });

  it('requests that were spent are told, and come back', async () => {
    const before = await board.operator.store();
    await board.database.asOwner(
      `INSERT INTO payments_rate_limits (store_id, spent_to) VALUES ('${before.id}', now() + interval '10 minutes')
       ON CONFLICT (store_id) DO UPDATE SET spent_to = excluded.spent_to`,
    );
    const { requestsLeft } = await board.operator.store();
    expect(before.requestsLeft.notified).toBeGreaterThan(0);
    expect(requestsLeft.notified).toBeLessThanOrEqual(before.requestsLeft.notified);
  });

  it('a time of lost commits that could not be read is read again, once', async () => {
    const { id: store } = await board.operator.store();
    await board.database.asOwner(
      `INSERT INTO payments_recoveries (id, store_id, from_at, to_at, reason, started_at, done_at, error)
       VALUES ('00000000-0000-4000-8000-00000000000a', '${store}', now() - interval '1 hour', now(), 'requested', now(), now(), 'HTTP 403')`,
    );
    expect(await page('recoveries')).toContain('Read again');
    expect(await page('recoveries', 'reader')).not.toContain('Read again');
    expect(await page(`store?store=${store}`)).toContain('HTTP 403');
    const form = { id: '00000000-0000-4000-8000-00000000000a' };
    expect((await board.post('recoveries/read-again', form)).headers.get('location')).toBe('../recoveries');
    await eventually(
      () => board.operator.recoveries(),
      (found) => found.length >= 2 && found.every(({ error, doneAt }) => error === null && doneAt !== null),
    );
    expect((await board.post('recoveries/read-again', form)).status).toBe(409);
  });

  // Last: what is given up is gone.
  it('a person says of a database that may be a copy what it is, once, by typing the answer', async () => {
    expect(await page('recoveries')).not.toContain('may be a copy');
    await board.database.asOwner(`UPDATE payments_commit_mark SET database = '1 production'`);
    await eventually(
      () => page('recoveries'),
      (text) => text.includes('This database may be a copy'),
    );
    expect(await page('recoveries')).toContain('Say so');
    expect(await page('recoveries', 'reader')).not.toContain('Say so');
    const say = (answer: string) => board.post('recoveries/database', { answer });
    expect((await say('yes')).status).toBe(422);
    expect((await board.operator.backlog()).unconfirmedDatabase.count).toBe(1);
    expect((await say('continue')).headers.get('location')).toBe('../recoveries');
    expect((await board.operator.backlog()).unconfirmedDatabase.count).toBe(0);
    expect((await say('continue')).status).toBe(409);
    await board.database.asOwner(`UPDATE payments_commit_mark SET database = '1 production'`);
    expect((await say('detach')).headers.get('location')).toBe('../recoveries');
    expect(await board.operator.detachedAt()).toBeInstanceOf(Date);
  });
});
