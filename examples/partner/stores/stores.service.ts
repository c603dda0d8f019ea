import { ServiceError } from '@holdfast/payments';
import { PartnerService, type Store } from '@holdfast/payments/partner';
import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Owner } from '../owners/owners.js';
import { LogEntry } from './log-entry.entity.js';

/** How many messages its owner sees. */
const SHOWN = 30;

/** Stores as their owners see them: nobody else's is ever found. */
@Injectable()
export class StoresService {
  constructor(
    private readonly partner: PartnerService,
    @InjectRepository(LogEntry) private readonly log: Repository<LogEntry>,
  ) {}

  /** The address to which the owner goes to connect a store, or connect it again. */
  connectUrl({ id: ownerRef }: Owner): Promise<string> {
    return this.partner.authorizeUrl({ ownerRef, returnTo: '/stores' });
  }

  list({ id: ownerRef }: Owner): Promise<Store[]> {
    return this.partner.stores({ ownerRef });
  }

  /** @throws NotFoundException for a store of somebody else, as for one that does not exist */
  async get(owner: Owner, storeId: string): Promise<Store> {
    const store = await this.partner.getStore(storeId);
    if (store.ownerRef !== owner.id) throw new NotFoundException();
    return store;
  }

  /** Reads the store's present state from the service; null if it gives no answer. */
  async refresh(store: Store): Promise<Store | null> {
    try {
      return await this.partner.refreshStore(store.id);
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  }

  async disconnect(store: Store): Promise<void> {
    await this.partner.disconnect(store.id);
  }

  /** The messages, newest first. */
  history({ id: storeId }: Store): Promise<LogEntry[]> {
    return this.log.find({ where: { storeId }, order: { id: 'DESC' }, take: SHOWN });
  }
}
