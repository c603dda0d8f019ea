import { Sweeper } from '../../libs/payments/src/sweeper.js';
import { copyOf } from '../support/copied-database.js';
import { connect, openPartnerBench, orderIn } from './partner-bench.js';

const DAY_MS = 86_400_000;
const unconfirmed = { code: 'database_unconfirmed' };

describe('a copy of a platform’s database, beside the platform', () => {
  it('leaves every webhook and token of connected stores where it is, before a person says what it is and once it is detached', async () => {
    const bench = await openPartnerBench();
    const production = await bench.startHost();
    const store = await connect(bench, production);
    const paid = await production.payments.create(orderIn(store.id));
    const copy = await copyOf(bench.database);
    await copy.asOwner('CREATE TABLE effects (event text NOT NULL, subject_id uuid NOT NULL)');
    const webhooks = () =>
      bench.sandbox.tokens
        .list()
        .map(({ status, webhooks: made }) => [
          status,
          made.filter(({ url }) => url.startsWith(production.url)).length,
          made.length,
        ]);
    const before = webhooks();
    expect(before).toEqual([['good', 4, 4]]);
    const staging = await bench.startHost({ databaseUrl: copy.moduleUrl });
    const sweep = async () => {
      // Its daily check is due.
      await bench.sandbox.clock.advance(DAY_MS);
      await staging.app.get(Sweeper).drain();
    };
    await sweep();
    for (const call of [
      () => staging.partner.subscriptions(store.id),
      () => staging.partner.disconnect(store.id),
      () => staging.partner.authorizeUrl({ ownerRef: 'owner-1', returnTo: '/stores' }),
      () => staging.payments.create(orderIn(store.id)),
    ])
      await expect(call()).rejects.toMatchObject(unconfirmed);
    expect(webhooks()).toEqual(before);
    expect(await staging.operator.detachDatabase()).toMatchObject({ stores: 2 });
    // Nor is any of them checked again.
    expect(
      await copy.asOwner(
        'SELECT id FROM payments_stores WHERE maintenance_at IS NOT NULL AND detached_at IS NOT NULL',
      ),
    ).toEqual([]);
    await sweep();
    expect(webhooks()).toEqual(before);
    expect(await staging.partner.stores()).toEqual([]);
    expect(await copy.asOwner('SELECT FROM payments_stores WHERE encrypted_token IS NOT NULL')).toEqual([]);
    expect(await staging.payments.get(paid.id, { store: store.id })).toMatchObject({ id: paid.id });
    for (const call of [
      () => staging.payments.create(orderIn(store.id)),
      () => staging.payments.refresh(paid.id, { store: store.id }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'store_not_connected' });
    expect((await production.partner.subscriptions(store.id)).created).toEqual([]);
    await staging.close();
    await copy.drop();
    await bench.close();
  });
});
