import { shopCredentials, type CredentialsSource } from '../api/credentials.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { ConfirmationSeal } from './confirmation-seal.js';

const url = 'https://service.example/pay/1';
const keyed = (...keys: string[]): CredentialsSource => {
  return () => keys.map((key) => shopCredentials('shop', key));
};

function sealWith(source: CredentialsSource): ConfirmationSeal {
  return Reflect.construct(ConfirmationSeal, [{ call: () => ({}) }, { source }]);
}

const said = (): ServicePayment =>
  parseServicePayment({
    id: 'service-1',
    status: 'pending',
    amount: { value: '1.00', currency: 'RUB' },
    confirmation: { type: 'redirect', confirmation_url: url },
  });

/** A row that was written with what the service said. */
async function written(seal: ConfirmationSeal, id = 'payment-1'): Promise<PaymentsPaymentEntity> {
  const row = Object.assign(new PaymentsPaymentEntity(), { id, storeId: 'store-1', status: 'pending' });
  const { confirmation } = await seal.sealed(row, said());
  return Object.assign(row, { confirmation });
}

describe('what a buyer has to do', () => {
  const seal = sealWith(keyed('key-1'));

  it('is shown as it was written', async () => {
    expect(await seal.opened(await written(seal))).toMatchObject({ type: 'redirect', url });
  });

  it.each([
    ['another address', { url: 'https://evil.example/' }],
    ['another kind', { type: 'mobile_application' }],
    ['no seal', { seal: undefined }],
    ['a seal that nobody made', { seal: 'x'.repeat(43) }],
  ])('is not shown with %s', async (_what, change) => {
    const row = await written(seal);
    Object.assign(row, { confirmation: { ...row.confirmation, ...change } });
    expect(await seal.opened(row)).toBeNull();
  });

  it('is not shown for another payment, nor once there is nothing to do', async () => {
    const row = await written(seal);
    expect(
      await seal.opened(Object.assign(new PaymentsPaymentEntity(), row, { id: 'payment-2' })),
    ).toBeNull();
    expect(
      await seal.opened(Object.assign(new PaymentsPaymentEntity(), row, { status: 'succeeded' })),
    ).toBeNull();
  });

  it('is shown while the secret key changes, and no longer once the old one is gone', async () => {
    const row = await written(seal);
    expect(await sealWith(keyed('key-2', 'key-1')).opened(row)).not.toBeNull();
    expect(await sealWith(keyed('key-2')).opened(row)).toBeNull();
  });

  it('is shown by who has but one of the keys that it was sealed with, whichever that is', async () => {
    const row = await written(sealWith(keyed('key-2', 'key-1')));
    expect(await sealWith(keyed('key-1')).opened(row)).not.toBeNull();
    expect(await sealWith(keyed('key-2')).opened(row)).not.toBeNull();
    expect(await sealWith(keyed('key-3')).opened(row)).toBeNull();
  });

  it('is written and not shown where there are no credentials', async () => {
    const without = sealWith(() => Promise.reject(new Error('none')));
    const row = await written(without);
    expect(row.confirmation).toEqual({ type: 'redirect', url });
    expect(await without.opened(row)).toBeNull();
  });
});
