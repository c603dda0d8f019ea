import { PaymentsApi } from '@holdfast/payments/client';
import { Injectable } from '@nestjs/common';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';

@Injectable()
class Report {
  constructor(readonly api: PaymentsApi) {}
}

describe('a host of the module', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('can have the client injected, with the shop’s own credentials', async () => {
    const host = await bench.startHost({}, [Report]);
    const { serviceId } = await host.payments.create(orderInput());
    const { api } = host.app.get(Report);
    expect(await api.fetchPayment(serviceId ?? '')).toMatchObject({ id: serviceId, status: 'pending' });
  });
});
