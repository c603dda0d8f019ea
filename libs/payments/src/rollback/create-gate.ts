import { Injectable } from '@nestjs/common';
import { CommitMark } from './commit-mark.js';
import { RecoveryWindows } from './recovery-windows.js';
import { RollbackWatch } from './rollback-watch.js';
import { ShownIdentity } from './shown-identity.js';

/**
 * Keeps a create from opening a payment on a database that may have forgotten one: as long as this process has not looked, or
 * while the service's lists of the lost time are being read. It is a part of the statement that records the create, so that it
 * costs no round trip, and no failover comes in between.
 */
@Injectable()
export class CreateGate {
  constructor(
    private readonly mark: CommitMark,
    private readonly windows: RecoveryWindows,
    private readonly watch: RollbackWatch,
    private readonly identity: ShownIdentity,
  ) {}

  /** Whether the server shows its timeline: a variant of the condition each. */
  async variant(): Promise<'timeline' | 'no timeline'> {
    await this.identity.learn();
    return this.identity.isTimelineShown ? 'timeline' : 'no timeline';
  }

  /** SQL condition, with the parameters of {@link expected} as $2 and $3. */
  condition(storeId: string): string {
    return `${this.mark.isExpected('$2', '$3')} AND NOT ${this.windows.openSql(storeId)}`;
  }

  get expected(): readonly [epoch: string, counter: number] {
    return this.mark.expected;
  }

  /** Learns why the condition did not hold: what another process has noticed, this one knows then. */
  look(): Promise<void> {
    return this.watch.look();
  }
}
