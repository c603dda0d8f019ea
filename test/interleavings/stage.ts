import {
  OnPaymentEffect,
  OnPaymentEvent,
  type EffectContext,
  type HandlerContext,
  type PaymentEvent,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { ObjectList, PaymentsApi } from '@holdfast/payments/client';
import type { SandboxOptions } from '@holdfast/sandbox';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { DeliveryClaims } from '../../libs/payments/src/handlers/delivery-claims.js';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { ObjectNotifications } from '../../libs/payments/src/notifications/object-notifications.js';
import type { Claim } from '../../libs/payments/src/reconcile/claim.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { Reconciler } from '../../libs/payments/src/reconcile/reconciler.js';
import { StoreRegistry } from '../../libs/payments/src/stores/store.registry.js';
import { testAccount } from '../support/account.js';
import { doAll } from '../support/one-by-one.js';
import { openBench, sendNotification, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { asksService, changesOutside, changesService } from './footprint.js';
import type { Choose, Step } from './schedules.js';
import { Gate, Stepper, type End } from './stepper.js';

/** Payments of which a handler fails once, after it has written. */
export const failing = new Set<string>();

/** Payments whose handler records an effect. */
export const recording = new Set<string>();

/** What was done outside, each time. */
export const doneOutside: { readonly key: string; readonly paymentId: string }[] = [];

@Injectable()
class Effects {
  /** Of the actor whose process it is. */
  gate: Gate | null = null;

  @OnPaymentEvent('payment.succeeded', { id: 'test.succeeded' })
  succeeded(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.held' })
  held(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  @OnPaymentEffect('test.outside')
  async outside({ paymentId }: { paymentId: string }, { effectKey }: EffectContext): Promise<void> {
    const send = () => doneOutside.push({ key: effectKey, paymentId });
    await (this.gate ? this.gate.step('it is done outside', changesOutside, send) : send());
  }

  async #record({ id, name, payment }: PaymentEvent, { manager, effects }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id, event_id) VALUES ($1, $2, $3)', [
      name,
      payment.id,
      id,
    ]);
    if (recording.has(payment.id)) await effects.record('test.outside', { paymentId: payment.id });
    if (failing.delete(payment.id)) throw new Error('no paper');
  }
}

/** A process of its own, whose every step is held until its turn. */
export interface Actor {
  readonly gate: Gate;
  readonly host: PaymentsHost;
}

/** How the service and the processes of a stage are set up. */
export interface Setup {
  readonly service: Partial<SandboxOptions>;
  readonly hosts: Partial<PaymentsModuleOptions>;
}

/** Some actors that work at the same time, on a payment of their own in every schedule. */
export interface Scenario {
  readonly name: string;
  /** Of the stage that it is played on. Default: neither the service nor its hosts are set up for anything special. */
  readonly setup?: Setup;
  begin(stage: Stage): Promise<Begun>;
}

export interface Begun {
  /** By the actor's letter. */
  readonly work: Readonly<Record<string, (actor: Actor) => Promise<unknown>>>;
  /** The faults, once all have ended and a last sweep has found nothing more to do. */
  faults(played: Omit<Played, 'faults'>): Promise<string[]>;
  /** What a last sweep may rely on, besides the state itself. Default: nothing, not even that time passes. */
  timePasses?(): Promise<void>;
  /** `b` does the same as `a`, so it begins after `a`: the other order is equivalent. */
  readonly areTwins?: true;
  /** A separate read decides nothing here: it is sent immediately, and is no step. */
  readonly readsAtOnce?: true;
}

export interface Played {
  readonly isNew: boolean;
  readonly schedule: string;
  /** Each step in a line. */
  readonly log: string;
  readonly ends: Readonly<Record<string, End | null>>;
  readonly faults: readonly string[];
}

/** One database, one service, and the processes that work on them: those of a schedule, and one that tidies up after it. */
export class Stage {
  readonly #actors = new Map<string, Actor>();

  private constructor(
    readonly bench: Bench,
    readonly observer: Client,
    /** Never held. */
    readonly sweeper: PaymentsHost,
    private readonly setup: Setup,
  ) {}

  static async open(setup: Setup = { service: {}, hosts: {} }): Promise<Stage> {
    const bench = await openBench(testAccount, setup.service);
    const observer = new Client(bench.database.url);
    await observer.connect();
    await observer.query(
      'ALTER TABLE effects ADD event_id bigint, ADD place bigint GENERATED ALWAYS AS IDENTITY',
    );
    const sweeper = await bench.startHost({ ...hostOptions, ...setup.hosts }, [Effects]);
    return new Stage(bench, observer, sweeper, setup);
  }

  async close(): Promise<void> {
    await this.observer.end();
    await this.bench.close();
  }

  async play(scenario: Scenario, choose: Choose): Promise<Played> {
    const begun = await scenario.begin(this);
    const { work, readsAtOnce = false, areTwins = false } = begun;
    const actors: Actor[] = [];
    for (const letter of Object.keys(work)) actors.push(await this.#actor(letter));
    const gates = actors.map(({ gate }) => gate);
    const stepper = new Stepper(gates, this.observer, readsAtOnce);
    const begin = async ({ gate, host }: Actor) => work[gate.letter]?.({ gate, host });
    const mayBegin = ({ actor }: Step) => !areTwins || actor !== 'b' || stepper.schedule.includes('a');
    try {
      const isNew = await stepper.play(
        actors.map((actor) => () => begin(actor)),
        (steps) => choose(steps.filter(mayBegin)),
      );
      return await this.#judge(begun, stepper, gates, isNew);
    } finally {
      // The next schedule must not be affected by it.
      await this.observer.query(
        `DELETE FROM payments_due; DELETE FROM payments_notifications; DELETE FROM payments_deliveries WHERE done_at IS NULL;
         UPDATE payments_stores SET unannounced_changes = 0, unannounced_since = NULL WHERE unannounced_changes > 0`,
      );
      // What it could not return while it was cut off, it would return first of all in the next one.
      for (const { host } of actors) await host.app.get(DeliveryClaims).giveBack([]);
    }
  }

  async #judge(begun: Begun, stepper: Stepper, gates: readonly Gate[], isNew: boolean): Promise<Played> {
    const ends = Object.fromEntries(gates.map(({ letter, end }) => [letter, end]));
    const played = { isNew, schedule: stepper.schedule, log: stepper.log, ends };
    if (isNew) {
      await begun.timePasses?.();
      await this.sweepAll();
    }
    const deadlocks = stepper.taken.filter(({ outcome }) => outcome.includes('deadlock'));
    const found = isNew
      ? [...deadlocks.map(({ actor }) => `${actor} met a deadlock`), ...(await begun.faults(played))]
      : [];
    return { ...played, faults: found };
  }

  /** Ends the actor's connections for good, as if its process had ended. */
  async cut(letter: string, { forGood }: { readonly forGood: boolean }): Promise<void> {
    const { gate } = await this.#actor(letter);
    await gate.cut(this.observer, forGood);
  }

  /** Everything that a sweep finds to do at this moment. */
  async sweepAll(): Promise<void> {
    const { app } = this.sweeper;
    // A refund's notification that names no payment is left to a re-read of its own.
    while (await app.get(HandOver).runNext());
    await doAll(app.get(ObjectNotifications).work);
    while ((await app.get(HandOver).runNext()) || (await rereadOne(this.sweeper)));
    await doAll(app.get(Deliverer).work);
  }

  async #actor(letter: string): Promise<Actor> {
    const known = this.#actors.get(letter);
    if (known) return known;
    const gate = new Gate(letter);
    const options = { ...hostOptions, ...this.setup.hosts, connections: gate.connections };
    const host = await this.bench.startHost(options, [Effects]);
    // The work that a schedule's notification causes is a step of its own.
    this.bench.sandbox.setNotifyUrl(null);
    holdRequests(host.app.get(PaymentsApi), gate);
    host.app.get(Effects).gate = gate;
    const actor = { gate, host };
    this.#actors.set(letter, actor);
    return actor;
  }
}

const hostOptions = {
  sweeps: false,
  poolSize: 3,
  // Neither the throttle nor the circuit breaker is tested here.
  circuit: false,
  rereads: { perSecond: 1_000, burst: 100_000 },
} as const;

/** Makes each of its calls a step of its own. */
function holdRequests(api: PaymentsApi, gate: Gate): void {
  for (const name of Object.getOwnPropertyNames(PaymentsApi.prototype)) {
    const call: unknown = Reflect.get(api, name);
    if (name === 'constructor' || typeof call !== 'function') continue;
    const footprint = /^(read|list)/.test(name) ? asksService : changesService;
    Reflect.set(api, name, (...given: unknown[]): unknown => {
      const send = (): unknown => Reflect.apply(call, api, given);
      if (!name.startsWith('list')) return gate.step(name, footprint, send);
      const list = send();
      if (!(list instanceof ObjectList)) throw new Error(`${name} lists in another way now.`);
      const pages = list.pages.bind(list);
      list.pages = async function* () {
        await gate.step(name, footprint, () => undefined);
        yield* pages();
      };
      return list;
    });
  }
}

/** What a worker does in one go. Unlike the loops it does not catch errors. */
export async function sweep({ host }: Actor): Promise<void> {
  await host.app.get(HandOver).runNext();
  await rereadOne(host);
}

async function rereadOne(host: PaymentsHost): Promise<boolean> {
  const claim = await claimOne(host);
  if (!claim) return false;
  await host.app.get(Reconciler).run(claim, 'sweep');
  return true;
}

/** Null: nothing is due. */
export async function claimOne({ app }: PaymentsHost): Promise<Claim | null> {
  const { shop } = app.get(StoreRegistry);
  if (!shop) throw new Error('There is no shop.');
  const [claim] = await app.get(Claims).take({ stores: [{ id: shop.id, most: 1 }], most: 1, failing: 1 });
  return claim ?? null;
}

/** A notification arrives at the actor's door; storing it is its only step. */
export async function notify({ host }: Pick<Actor, 'host'>, event: string, id: string | null): Promise<void> {
  const { status } = await sendNotification(host, { type: 'notification', event, object: { id } });
  if (status !== 200) throw new Error(`The notification was answered ${status}.`);
}
