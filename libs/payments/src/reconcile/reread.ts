import { Injectable } from '@nestjs/common';
import { ServiceNotFoundError } from '../api/service-errors.js';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import type { ServiceStatus } from '../common/payment-status.js';
import { Telemetry } from '../telemetry/telemetry.js';
import type { WorkKind } from '../work/work-signal.js';
import type { Look } from './claim.js';
import { FullReader } from './full-reader.js';
import { OperationResolver } from './operation-resolver.js';
import { ReadingWriter } from './reading-writer.js';
import type { Resolved } from './settle-finishes.js';
import { SilenceAlarm } from './silence-alarm.js';

/** Re-reads a claimed payment and has what it finds written. */
@Injectable()
export class Reread {
  constructor(
    private readonly operations: OperationResolver,
    private readonly reader: FullReader,
    private readonly writer: ReadingWriter,
    private readonly alarm: SilenceAlarm,
    private readonly telemetry: Telemetry,
  ) {}

  /** Returns what there may be to do now. */
  async run(look: Look): Promise<readonly WorkKind[]> {
    const { claim, asked, end, lease } = look;
    const { seen } = claim;
    const cause: Cause = asked === 'sweep' && seen.length > 0 ? 'notification' : asked;
    let { payment } = claim;
    let resolved: Resolved = { askedAt: claim.claimedAt, over: [] };
    if (claim.isUnsettled) {
      resolved = await this.operations.resolve(payment, end, lease);
      payment = await this.reader.payment(claim);
    }
    const { serviceId } = payment;
    if (serviceId === null) {
      await this.writer.postpone(claim);
      return ['deliveries'];
    }
    // No lock is held and no transaction open during the request to the service.
    const object = await this.#fetch(look, serviceId, cause);
    const evidence = { source: 're-read', notifications: seen.length };
    const unlocked = await this.writer.writeUnlocked(claim, object, { cause, evidence });
    if (unlocked) {
      const { movedTo, written } = unlocked;
      await this.#tell(look, movedTo);
      return [
        ...(movedTo ? (['deliveries'] as const) : []),
        ...(written.isReady ? (['payments'] as const) : []),
      ];
    }
    const rest = await this.reader.read(payment, object, look);
    const reading = { object, cause, evidence, resolved, ...rest };
    const verdict = await this.writer.write(claim, { ...reading, isAgain: false });
    await this.#tell(look, verdict?.kind === 'move' ? verdict.to : null);
    if (verdict?.kind === 'stale') {
      const again = await this.reader.object(look, serviceId);
      await this.writer.write(claim, { ...reading, object: again, isAgain: true });
    }
    return ['payments', 'deliveries'];
  }

  async #fetch(look: Look, serviceId: string, cause: Cause): Promise<ServicePayment> {
    try {
      return await this.reader.object(look, serviceId);
    } catch (error) {
      if (error instanceof ServiceNotFoundError) await this.writer.raiseUnknown(look.claim, serviceId, cause);
      throw error;
    }
  }

  /** Tells the alarm whether there was a notification of the change, if that is news. */
  async #tell(
    { claim: { payment, seen, store }, asked }: Look,
    movedTo: ServiceStatus | null,
  ): Promise<void> {
    const { storeId, serviceId } = payment;
    if (movedTo !== null && (seen.length > 0 || asked === 'sweep'))
      this.telemetry.count('holdfast.changes', { found: seen.length > 0 ? 'announced' : 'polled' });
    if (seen.length > 0) {
      if (store.unannouncedChanges > 0) await this.alarm.notified(storeId);
      // A caller is often faster than the notification; a poll rarely is.
    } else if (movedTo !== null && serviceId !== null && asked === 'sweep')
      await this.alarm.changed(storeId, serviceId, movedTo);
  }
}
