import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/**
 * A notification that was set aside: of a payment that was not made here, since another system uses the same store; of a refund,
 * payout, deal or payment method that the service did not show as told for a quarter of an hour; or a forged one.
 */
export interface ForeignNotification {
  /** The store it came for. */
  readonly store: string;
  readonly event: string;
  /** The service's id of the payment or other object. */
  readonly objectId: string;
  readonly senderAddress: string;
  /** How often it came. */
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** When it was looked up and set aside. */
  readonly foreignAt: Date;
}

/** Reads what was set aside, the newest first. */
@Injectable()
export class ForeignNotificationReader {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
  ) {}

  async list(limit: number): Promise<ForeignNotification[]> {
    const found = await this.database.read((from) =>
      from
        .createQueryBuilder(NotificationEntity, 'notification')
        .where(`notification.foreignAt IS NOT NULL AND ${this.stores.shows('notification')}`)
        .orderBy('notification.foreignAt', 'DESC')
        .limit(limit)
        .getMany(),
    );
    return found.flatMap(
      ({ storeId: store, event, objectId, senderAddress, count, firstAt, lastAt, foreignAt }) =>
        foreignAt === null
          ? []
          : [{ store, event, objectId, senderAddress, count, firstAt, lastAt, foreignAt }],
    );
  }
}
