import { OnPaymentEffect, type EffectContext } from '@holdfast/payments';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';

interface Parcel {
  readonly orderReference: string;
}

/** Repeats come for hours: as long as an ended job is kept, the same one is not added again. In seconds. */
const kept = { age: 7 * 86_400 };

/** `PARCELS` is a Queue of BullMQ. */
@Injectable()
export class Parcels {
  constructor(@Inject('PARCELS') private readonly queue: Pick<Queue<Parcel>, 'add'>) {}

  @OnPaymentEffect('parcels.pack')
  async pack(parcel: Parcel, { effectKey }: EffectContext) {
    await this.queue.add('pack', parcel, { jobId: effectKey, removeOnComplete: kept, removeOnFail: kept });
  }
}
