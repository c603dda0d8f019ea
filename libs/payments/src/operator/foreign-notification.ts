import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Database } from '../database/database.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/** A notification of a payment that was not made here: another system uses the same store, or it was forged. */
export interface ForeignNotification {
  readonly event: string;
  /** The service's id of the payment. */
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
    const found = await this.database.dataSource.manager.find(NotificationEntity, {
      where: { storeId: this.stores.shop.id, foreignAt: Not(IsNull()) },
      order: { foreignAt: 'DESC' },
      take: limit,
    });
    return found.flatMap(({ event, objectId, senderAddress, count, firstAt, lastAt, foreignAt }) =>
      foreignAt === null ? [] : [{ event, objectId, senderAddress, count, firstAt, lastAt, foreignAt }],
    );
  }
}
