import { setTimeout as delay } from 'node:timers/promises';

import { takeInventory, type Inventory } from '../audit/forgotten.js';
import type { Recovery } from '../audit/recovery.js';
import type { Replica } from '../stage/replica.js';
import type { Stage } from '../stage/stage.js';
import type { Tally } from '../tally.js';
import type { Returning } from '../workload/returning.js';
import { planRound, type Fault, type PlannedFault } from './fault-plan.js';
import type { PlannedLoss } from './loss-plan.js';

/** If no process passes a failpoint for this long, one is hit wherever it is. */
const TRAP_MS = 10_000;

/** Carries out the planned faults one after the other. */
export class FaultInjector {
  readonly #underWay = new Set<Promise<void>>();
  /** What is done to the database comes one after the other. */
  #toDatabase: Promise<void> = Promise.resolve();
  readonly #pending: PlannedLoss[];

  constructor(
    private readonly stage: Stage,
    private readonly tally: Tally,
    private readonly recovery: Recovery,
    private readonly returning: Returning,
    losses: readonly PlannedLoss[],
    private readonly signal: AbortSignal,
  ) {
    this.#pending = [...losses];
  }

  /** A slow machine is late with the planned losses of the database: a run without them would prove less than it says. */
  get isDone(): boolean {
    return this.#pending.length === 0;
  }

  /** Round after round until stopped; resolves when everything begun has ended. */
  async run(seed: number, enough: () => boolean): Promise<void> {
    const startedAt = performance.now();
    for (let round = 1; !enough(); round += 1) {
      for (const planned of planRound(seed, round)) {
        if (enough()) break;
        while ((this.#pending[0]?.atMs ?? Infinity) <= performance.now() - startedAt) {
          const loss = this.#pending.shift();
          if (loss) await this.#lose(loss);
        }
        await this.#happen(planned, enough);
        await delay(planned.pauseMs);
      }
    }
    await this.#ended();
    this.stage.sandbox.faults.clear();
  }

  async #happen({ fault, replica }: PlannedFault, enough: () => boolean): Promise<void> {
    switch (fault.kind) {
      case 'replica': {
        const victim = await this.#victim(replica, enough);
        if (victim !== null) this.#begin(this.#hit(victim, fault));
        break;
      }
      case 'database restart':
        await this.#toDatabase;
        await this.stage.restartDatabase(fault.downMs);
        this.tally.databaseRestarts += 1;
        break;
      case 'sandbox':
        this.stage.sandbox.faults.order(fault.order);
        if (fault.order.on === 'notification') this.tally.notificationFaults += 1;
        else this.tally.serviceFaults += 1;
        break;
      case 'outage':
        await this.#ended();
        this.tally.kills += await this.stage.outage(fault.ms);
        this.tally.outages += 1;
        break;
    }
  }

  /** Other faults go on meanwhile, except where all processes are stopped. */
  async #lose(loss: PlannedLoss): Promise<void> {
    const { stage, tally } = this;
    switch (loss.kind) {
      case 'failover':
        this.#begin(
          this.#onDatabase(async () => {
            const { had, has } = await stage.failOver(loss.lostMs, takeInventory);
            tally.failovers += 1;
            tally.lastLoss = 'failover';
            this.#forgot(had, has);
          }),
        );
        break;
      case 'copy':
        this.#begin(this.#onDatabase(() => stage.keepCopy()));
        break;
      case 'restore': {
        await this.#ended();
        const { had, has, killed } = await stage.restore(takeInventory);
        tally.kills += killed;
        tally.restores += 1;
        tally.lastLoss = 'restore';
        this.#forgot(had, has);
        break;
      }
    }
  }

  #forgot(had: Inventory, has: Inventory): void {
    this.tally.forgotten.add(had, has);
    this.returning.all();
  }

  #onDatabase(work: () => Promise<void>): Promise<void> {
    this.#toDatabase = this.#toDatabase.then(work);
    return this.#toDatabase;
  }

  /** A replica that takes requests, once most of them do: shops that are down all the time would prove nothing. */
  async #victim(wanted: number, enough: () => boolean): Promise<Replica | null> {
    while (!enough()) {
      const { open, replicas } = this.stage;
      const victim = open[wanted % open.length];
      if (victim !== undefined && open.length > replicas.length / 2) return victim;
      await delay(50);
    }
    return null;
  }

  async #hit(replica: Replica, { action, at, line }: Fault & { kind: 'replica' }): Promise<void> {
    const sprung = at !== 'now' && (await this.stage.traps.set(at, action, TRAP_MS, this.signal));
    if (sprung) this.tally.pointsHit.add(at);
    switch (action) {
      case 'kill':
        if (!sprung && !replica.kill()) break;
        this.recovery.watch();
        this.tally.kills += 1;
        if (sprung) this.tally.killsAtPoints += 1;
        break;
      case 'stop':
        this.tally.stops += 1;
        if (!sprung) await replica.stop();
        break;
      case 'cut':
      case 'freeze':
        this.tally.brokenLines += 1;
        if (!sprung) replica[line][action]();
    }
  }

  #begin(work: Promise<void>): void {
    const ended = work.finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  async #ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
