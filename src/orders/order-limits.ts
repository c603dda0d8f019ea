import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { networkOf } from '../../examples/shared/web/network.js';
import { RateLimit } from '../../examples/shared/web/rate-limit.js';
import type { ShopOptions } from '../config/shop-options.js';

const MINUTE_MS = 60_000;
/** One address may be that of a whole office. */
const ordersOfAddress = { most: 60, windowMs: 60 * MINUTE_MS };
const clicksOfAddress = { most: 60, windowMs: MINUTE_MS };
/** Each change of the way to pay is another payment at the service. */
const clicksOfOrder = { most: 10, windowMs: MINUTE_MS };

/** How much a stranger may have the shop do, in this process. Each returns how long to wait; 0: go on. */
@Injectable()
export class OrderLimits {
  readonly #orders: RateLimit;
  readonly #clicks: RateLimit;
  readonly #clicksOfOrders: RateLimit;

  constructor(config: ConfigService<ShopOptions, true>) {
    const { clock } = config.get('payments', { infer: true });
    const nowMs = () => Date.now() + (clock?.offsetMs() ?? 0);
    this.#orders = new RateLimit(ordersOfAddress, nowMs);
    this.#clicks = new RateLimit(clicksOfAddress, nowMs);
    this.#clicksOfOrders = new RateLimit(clicksOfOrder, nowMs);
  }

  /** Somebody at this address places an order. */
  order(address = ''): number {
    return this.#orders.take(networkOf(address));
  }

  /** Somebody there is on the way to pay this order. */
  click(reference: string, address = ''): number {
    return this.#clicks.take(networkOf(address)) || this.#clicksOfOrders.take(reference);
  }
}
