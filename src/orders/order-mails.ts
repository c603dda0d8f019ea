import { OnPaymentEffect, type EffectContext } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { InjectRepository } from '@nestjs/typeorm';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Repository } from 'typeorm';

import { roubles } from '../../examples/shared/pages/format.js';
import type { ShopOptions } from '../config/shop-options.js';
import { ShopOrder } from './shop-order.entity.js';

/** What handlers record for a mail: whom it goes to is read when it goes. */
export interface OrderMail {
  readonly orderReference: string;
}

/** Mails to buyers. A folder takes the place of a mail server: a file is a mail, and has the name of its key, so a repeat is the same one. */
@Injectable()
export class OrderMails {
  readonly #folder: string | null;

  constructor(
    config: ConfigService<ShopOptions, true>,
    @InjectRepository(ShopOrder) private readonly orders: Repository<ShopOrder>,
  ) {
    this.#folder = config.get('mailFolder', { infer: true });
  }

  @OnPaymentEffect('shop.mail-paid')
  async paid({ orderReference }: OrderMail, { effectKey, signal }: EffectContext): Promise<void> {
    if (this.#folder === null) return;
    const order = await this.orders.findOneByOrFail({ reference: orderReference });
    const lines = [
      `Message-ID: <${effectKey}@shop.example>`,
      `To: ${order.buyerEmail}`,
      `Subject: Order ${orderReference} is paid`,
      '',
      `Thank you! We have received your payment for ${roubles(order.totalMinor)}.`,
      '',
    ];
    await mkdir(this.#folder, { recursive: true });
    await writeFile(join(this.#folder, `${effectKey.replace('/', '.')}.eml`), lines.join('\n'), { signal });
  }
}
