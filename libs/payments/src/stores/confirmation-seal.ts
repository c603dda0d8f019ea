import { Injectable } from '@nestjs/common';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { hasToken, parseCredentials, type Credentials } from '../api/credentials.js';
import type { StoredConfirmation } from '../api/objects/confirmation.js';
import type { ServicePayment } from '../api/service-payment.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { StoreCredentials } from './store-credentials.js';
import { StoreRegistry } from './store.registry.js';

/** What is signed is nothing that the service, or anybody else, asks to be signed. */
const PURPOSE = 'holdfast/confirmation/1';
/** Of no seal's own characters. */
const BETWEEN = '.';

/**
 * Seals what a buyer is to be shown, where it is stored: whoever can write rows could send buyers elsewhere. With the store's own
 * credentials, which no row has in clear, so there is no key to keep beside them; and for one payment, so that nobody is led to pay
 * another's. With each of the credentials, since another replica may know but one of them while a key changes. What was sealed with
 * credentials that are gone is shown again after the next re-read.
 */
@Injectable()
export class ConfirmationSeal {
  constructor(
    private readonly stores: StoreRegistry,
    private readonly credentials: StoreCredentials,
  ) {}

  /** The object as it is written to this payment's row. */
  async sealed(
    { id, storeId }: Pick<PaymentsPaymentEntity, 'id' | 'storeId'>,
    object: ServicePayment,
  ): Promise<ServicePayment> {
    const { confirmation } = object;
    if (confirmation === null) return object;
    const seals = (await this.#keys(storeId)).map((key) => sealOf(key, id, confirmation));
    if (seals.length === 0) return object;
    return { ...object, confirmation: { ...confirmation, seal: seals.join(BETWEEN) } };
  }

  /** What the payment's row says that its buyer has to do; null: nothing, or it is not what the service said. */
  async opened({
    id,
    storeId,
    status,
    confirmation,
  }: PaymentsPaymentEntity): Promise<StoredConfirmation | null> {
    const { seal } = confirmation ?? {};
    if (status !== 'pending' || confirmation === null || seal === undefined) return null;
    const seals = seal.split(BETWEEN);
    const ours = (await this.#keys(storeId)).map((key) => sealOf(key, id, confirmation));
    return ours.some((one) => seals.some((other) => isSame(one, other))) ? confirmation : null;
  }

  /** During a change of the secret key both; none: the store has no credentials now. */
  async #keys(storeId: string): Promise<string[]> {
    const { store } = this.stores.call(storeId);
    try {
      return (parseCredentials(await this.credentials.source(store)) ?? []).map(secretOf);
    } catch {
      return [];
    }
  }
}

function secretOf(credentials: Credentials): string {
  return (hasToken(credentials) ? credentials.accessToken : credentials.secretKey).reveal();
}

function sealOf(key: string, paymentId: string, { type, url, token, data }: StoredConfirmation): string {
  const sealed = [PURPOSE, paymentId, type, url, token, data];
  return createHmac('sha256', key).update(JSON.stringify(sealed)).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
