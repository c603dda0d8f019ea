import { httpAdapters } from '../hosts/host.js';
import { eventually } from '../support/eventually.js';
import {
  comeBack,
  connect,
  consent,
  effects,
  openPartnerBench,
  orderIn,
  type PartnerBench,
  type PartnerHost,
} from './partner-bench.js';

describe.each(httpAdapters)('a store connected through a host on %s', (_name, http) => {
  let bench: PartnerBench;
  let host: PartnerHost;
  beforeAll(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost({ http });
  });
  afterAll(() => bench.close());

  it('is paid, notified at its own address, and its payment succeeds', async () => {
    const store = await connect(bench, host);
    expect(store).toMatchObject({
      accountId: 'test_tea_house',
      ownerRef: 'owner-1',
      status: 'connected',
      test: true,
      fiscalizationEnabled: false,
    });
    const { id, serviceId, status } = await host.payments.create(orderIn(store.id));
    expect(status).toBe('pending');
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => effects(host, id),
      (names) => names.includes('payment.succeeded'),
    );
    expect(await host.payments.timeline(id, { store: store.id })).toContainEqual(
      expect.objectContaining({ name: 'payment.succeeded', cause: 'notification' }),
    );
  });

  it('is not connected if its owner refuses', async () => {
    const url = await host.partner.authorizeUrl({ ownerRef: 'owner-1', returnTo: '/stores?tab=1#mine' });
    const { status, location } = await comeBack(await consent(bench, url, { decision: 'refuse' }));
    expect([status, location]).toEqual([303, '/stores?tab=1&error=access_denied#mine']);
  });
});
