import { OnPaymentEffect, type EffectContext } from '@holdfast/payments';
import { Inject, Injectable } from '@nestjs/common';

interface Points {
  readonly customer: string;
  readonly points: number;
}

/** `POINTS_URL` is the address of a service that takes an idempotence key. */
@Injectable()
export class LoyaltyPoints {
  constructor(@Inject('POINTS_URL') private readonly url: string) {}

  @OnPaymentEffect('points.add')
  async add(points: Points, { effectKey, signal }: EffectContext) {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotence-Key': effectKey },
      body: JSON.stringify(points),
      signal,
    });
    if (!response.ok) throw new Error(`The loyalty service answered ${response.status}.`);
  }
}
