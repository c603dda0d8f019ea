import { Client } from 'pg';
import { footprintOf, isNothing, NOTHING, writtenBy, type Footprint } from './footprint.js';
import type { Choose, Step } from './schedules.js';

/** A statement without an answer after this time may be waiting for a lock. */
const PATIENCE_MS = 4;
/** Far longer than a step takes. */
const STUCK_MS = 60_000;

/** The step that an actor is about to take, and is held before. */
interface Held {
  /** A statement's text, or a description of anything else. */
  readonly what: string;
  readonly client: Client | null;
  readonly footprint: Footprint;
  readonly writes: readonly string[];
  go(): Promise<void>;
  /** Called before anybody goes on. */
  onEnd: (outcome: Outcome) => void;
  refuse(error: Error): void;
}

interface Outcome {
  /** Rows returned or changed; null if that does not matter here. */
  readonly count: number | null;
  readonly error: string | null;
}

/** How an actor's work ended. */
export type End = { readonly value: unknown } | { readonly error: unknown };

/** One step that was taken. */
interface Taken {
  readonly actor: string;
  readonly what: string;
  readonly outcome: string;
}

/** Holds every statement of one data source, and each request, until it is released. */
export class Gate {
  readonly held: Held[] = [];
  readonly flying = new Set<Held>();
  end: End | null = null;
  /** What was queried before, and when. */
  readonly asked = new Map<string, number>();
  onChange: () => void = () => undefined;
  readonly #clients = new Set<Client>();
  #transactions = new WeakMap<Client, Footprint>();
  #isClosed = false;
  #isDead = false;

  constructor(readonly letter: string) {}

  /** The driver's connections, as a pool hands them out. */
  get connections(): typeof Client {
    const watch = (client: Client) => this.#watch(client);
    return class SteppedClient extends Client {
      constructor(...given: ConstructorParameters<typeof Client>) {
        super(...given);
        watch(this);
      }
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#isDead = false;
    this.end = null;
    this.asked.clear();
    // Transactions that were open before have ended.
    this.#transactions = new WeakMap();
  }

  open(): void {
    this.#isClosed = false;
    this.#isDead = false;
    for (const held of this.held.splice(0)) void held.go();
  }

  /** A step that is no statement. */
  async step<T>(what: string, footprint: Footprint, work: () => T | Promise<T>): Promise<T> {
    if (!this.#isClosed) return work();
    return this.#hold({ what, client: null, footprint, writes: [] }, async () => work());
  }

  /** Ends all its connections, and waits until it knows. `forGood`: it gets no other, as if its process had ended. */
  async cut(observer: Client, forGood: boolean): Promise<void> {
    this.#isDead = forGood;
    const clients = [...this.#clients];
    const ended = clients.map((client) => new Promise<void>((resolve) => client.once('end', resolve)));
    const pids = clients.map(pidOf);
    await observer.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS open (pid)', [pids]);
    await Promise.all(ended);
    if (forGood) for (const held of this.held.splice(0)) held.refuse(new Error('The process has ended.'));
  }

  #watch(client: Client): void {
    const query: unknown = Reflect.get(client, 'query');
    if (typeof query !== 'function') throw new Error('The driver sends statements in another way now.');
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    Reflect.set(client, 'query', (...given: unknown[]): unknown => {
      const sql = textOf(given[0]);
      const send = (): unknown => Reflect.apply(query, client, given);
      // With a callback: the driver's own, while it connects.
      if (sql === null || typeof given.at(-1) === 'function') return send();
      if (!this.#isClosed) return send();
      const footprint = this.#footprint(client, sql);
      return this.#hold({ what: sql, client, footprint, writes: writtenBy(sql) }, async () => send());
    });
  }

  /** The end of a transaction has the footprint of everything done in it. */
  #footprint(client: Client, sql: string): Footprint {
    const open = this.#transactions.get(client);
    if (/^(START TRANSACTION|BEGIN)/.test(sql)) {
      this.#transactions.set(client, NOTHING);
      return NOTHING;
    }
    if (/^(COMMIT|ROLLBACK)$/.test(sql)) {
      this.#transactions.delete(client);
      return open ?? NOTHING;
    }
    if (!open) return footprintOf(sql, { inTransaction: false });
    const { reads, locks } = footprintOf(sql, { inTransaction: true });
    this.#transactions.set(client, {
      reads: [],
      locks: [...open.locks, ...locks],
      publishes: [...open.publishes, ...writtenBy(sql)],
    });
    // Nobody else can change what it has locked.
    const isOthers = (table: string) => !open.locks.includes(table);
    return { reads: reads.filter(isOthers), locks: locks.filter(isOthers), publishes: [] };
  }

  #hold<T>(step: Omit<Held, 'go' | 'onEnd' | 'refuse'>, work: () => Promise<T>): Promise<T> {
    if (this.#isDead) return Promise.reject(new Error('The process has ended.'));
    return new Promise((resolve, reject) => {
      const held: Held = {
        ...step,
        go: async () => {
          this.flying.add(held);
          try {
            const answer = await work();
            held.onEnd({ count: countOf(answer), error: null });
            resolve(answer);
          } catch (error) {
            held.onEnd({ count: null, error: error instanceof Error ? error.message : String(error) });
            reject(error);
          }
          this.flying.delete(held);
          this.onChange();
        },
        onEnd: () => undefined,
        refuse: reject,
      };
      this.held.push(held);
      this.onChange();
    });
  }
}

/** Lets several actors take their steps one after the other, in the order of a schedule. */
export class Stepper {
  readonly taken: Taken[] = [];
  schedule = '';
  #wake: () => void = () => undefined;
  #changes = 0;
  /** The step that last wrote each table. */
  readonly #written = new Map<string, number>();
  #now = 0;

  constructor(
    private readonly gates: readonly Gate[],
    private readonly observer: Client,
    /** A separate read is no step. */
    private readonly readsAtOnce: boolean,
  ) {}

  /** Each step in a line. */
  get log(): string {
    return this.taken.map(({ actor, what, outcome }) => `  ${actor} ${what}: ${outcome}`).join('\n');
  }

  /**
   * Begins the work of each actor and plays until all have ended. Returns false if the schedule was given up because it is
   * equivalent to another; then the remaining work is finished in any order.
   */
  async play(work: readonly (() => Promise<unknown>)[], choose: Choose): Promise<boolean> {
    for (const gate of this.gates) {
      gate.close();
      gate.onChange = () => this.#changed();
    }
    const working = this.gates.map((gate, index) => this.#begin(gate, work[index]));
    try {
      return await this.#playAll(choose);
    } catch (error) {
      throw new Error(`The schedule ${this.schedule} broke off:\n${this.log}`, { cause: error });
    } finally {
      for (const gate of this.gates) gate.open();
      await Promise.all(working);
    }
  }

  async #begin(gate: Gate, work: (() => Promise<unknown>) | undefined): Promise<void> {
    try {
      gate.end = { value: await work?.() };
    } catch (error) {
      gate.end = { error };
    }
    this.#changed();
  }

  async #playAll(choose: Choose): Promise<boolean> {
    for (;;) {
      await this.#rest();
      const ready = this.gates.filter(({ held }) => held.length > 0);
      if (ready.length === 0) {
        if (this.gates.every(({ end }) => end !== null)) return true;
        // All remaining actors wait for locks, in a circle: PostgreSQL ends that.
        await this.#mustChange();
        continue;
      }
      // What touches nothing has no order.
      const quiet = ready.find(({ held: [first] }) => first && this.#isQuiet(first));
      if (quiet) {
        this.#take(quiet);
        continue;
      }
      const news = ready.filter((gate) => !this.#asksAgain(gate));
      const steps = (news.length > 0 ? news : ready).map((gate) => this.#stepOf(gate));
      const chosen = choose(steps);
      if (chosen === null) return false;
      const gate = ready.find(({ letter }) => letter === chosen);
      if (!gate) throw new Error(`${chosen} cannot go on at this point.`);
      this.schedule += chosen;
      this.#take(gate);
    }
  }

  #isQuiet({ client, footprint }: Held): boolean {
    const { reads, locks, publishes } = footprint;
    return this.readsAtOnce && client !== null
      ? locks.length + publishes.length === 0
      : isNothing({ reads, locks, publishes });
  }

  /** While somebody waits for a lock, whoever releases it also lets that one go on: then steps cannot be told apart. */
  #stepOf({ letter, held: [first] }: Gate): Step {
    const own = first?.footprint ?? NOTHING;
    const waiting = this.gates.flatMap(({ flying }) => [...flying].map(({ footprint }) => footprint));
    const both = [own, ...waiting];
    const footprint = {
      reads: both.flatMap(({ reads }) => reads),
      locks: both.flatMap(({ locks }) => locks),
      publishes: both.flatMap(({ publishes, locks }, index) => (index === 0 ? publishes : locks)),
    };
    return { actor: letter, footprint };
  }

  /** It would lock or write where nobody has written since it last did so: it polls, and would get the same answer. */
  #asksAgain({ held: [first], asked }: Gate): boolean {
    const before = first && asked.get(first.what);
    if (!first || before === undefined || first.footprint.locks.length === 0) return false;
    return first.footprint.locks.every((table) => (this.#written.get(table) ?? 0) < before);
  }

  #take(gate: Gate): void {
    const held = gate.held.shift();
    if (!held) return;
    this.#now += 1;
    gate.asked.set(held.what, this.#now);
    const place = this.taken.push({ actor: gate.letter, what: shortened(held.what), outcome: 'waits' }) - 1;
    held.onEnd = ({ count, error }) => {
      const outcome = error ?? (count === null ? 'done' : String(count));
      this.taken[place] = { actor: gate.letter, what: shortened(held.what), outcome };
      const written = held.writes.length > 0 ? held.writes : held.footprint.publishes;
      if (count !== 0) for (const table of written) this.#written.set(table, this.#now);
    };
    void held.go();
  }

  /** Waits until everybody is held, has ended, or waits for a lock. */
  async #rest(): Promise<void> {
    for (;;) {
      const moving = this.gates.filter(
        ({ end, held, flying }) => end === null && (held.length === 0 || flying.size > 0),
      );
      if (moving.length === 0) return;
      const clients = moving.flatMap(({ flying }) => [...flying].map(({ client }) => client));
      const mayWait = !clients.includes(null) && moving.every(({ flying }) => flying.size > 0);
      if (!mayWait) await this.#mustChange();
      else if (!(await this.#changesWithin(PATIENCE_MS))) {
        const changes = this.#changes;
        if ((await this.#allWait(clients)) && this.#changes === changes) return;
      }
    }
  }

  async #allWait(clients: readonly (Client | null)[]): Promise<boolean> {
    const pids = clients.flatMap((client) => (client === null ? [] : [pidOf(client)]));
    // Not pg_stat_activity: who was granted the lock, and has not run since, still seems to wait there.
    const { rows } = await this.observer.query<{ waiting: number }>(
      'SELECT count(DISTINCT pid)::int AS waiting FROM pg_locks WHERE pid = ANY($1::int[]) AND NOT granted',
      [pids],
    );
    return rows[0]?.waiting === pids.length;
  }

  #changed(): void {
    this.#changes += 1;
    this.#wake();
  }

  async #mustChange(): Promise<void> {
    if (!(await this.#changesWithin(STUCK_MS)))
      throw new Error(`Nothing moves any more after ${this.schedule}.`);
  }

  #changesWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), ms);
      this.#wake = () => {
        clearTimeout(late);
        resolve(true);
      };
    });
  }
}

function pidOf(client: Client): number {
  const pid: unknown = Reflect.get(client, 'processID');
  if (typeof pid !== 'number') throw new Error('The connection has no process of the server yet.');
  return pid;
}

/** The name of a statement as the driver takes it: a text, or an object with a text and a name. */
function textOf(statement: unknown): string | null {
  const text: unknown =
    typeof statement === 'object' && statement !== null ? Reflect.get(statement, 'text') : statement;
  return typeof text === 'string' ? text : null;
}

function countOf(answer: unknown): number | null {
  const count: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'rowCount') : null;
  return typeof count === 'number' ? count : null;
}

/** What the statement does, in one line. */
function shortened(sql: string): string {
  const writes = writtenBy(sql);
  const { reads } = footprintOf(sql, { inTransaction: true });
  if (writes.length > 0) return `writes ${writes.join(', ')}`;
  return reads.length > 0 ? `reads ${reads.join(', ')}` : sql.replaceAll(/\s+/g, ' ').slice(0, 80);
}
