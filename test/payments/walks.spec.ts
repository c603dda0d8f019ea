import type { Payment } from '@holdfast/payments';
import { Session } from 'node:inspector/promises';
import { dirname } from 'node:path';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { noteStatements } from '../support/statements.js';

/**
 * What the way stands on: code that knows of no payment on its way. Of `api/`, PaymentsApi itself is on the way, and how it
 * makes a request is not.
 */
const GROUND = /^(?:common|schema|views|options|database|work|api(?!\/payments-api\.ts$))\//;

/**
 * How far somebody goes who follows the code: the library's files in which a function ran, counted by V8 itself. This host has no
 * protectWebhook(), which would put another file before the controller.
 */
interface Walk {
  /** All of them, down to the last helper. */
  readonly files: readonly string[];
  /** Without the ground. */
  readonly way: readonly string[];
  /** Of those, the ones in which something was awaited: the others were asked, answered at once, and were left again. */
  readonly steps: readonly string[];
  readonly floors: readonly string[];
  /** The first words of each statement, a round trip to PostgreSQL. */
  readonly statements: readonly string[];
}

describe('the way through the library', () => {
  let bench: Bench;
  let host: PaymentsHost;
  const session = new Session();
  const sentByNow: string[] = [];

  beforeAll(async () => {
    bench = await openBench();
    // No tick comes in between: what runs was woken by what it waits for.
    host = await bench.startHost({ sweeps: { intervalMs: 3_600_000 } });
    noteStatements(host.dataSource, sentByNow);
    // What is made once, such as prepared statements, is made by now.
    await pay(await host.payments.create(orderInput()));
    session.connect();
    await session.post('Debugger.enable');
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  });

  afterAll(async () => {
    session.disconnect();
    await bench.close();
  });

  /** Until its handler has committed. */
  async function pay({ id, serviceId }: Payment): Promise<void> {
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const effects = () => bench.asOwner('SELECT FROM effects WHERE payment_id = $1', [id]);
    await eventually(effects, ({ length }) => length === 1);
  }

  /** Until nothing is left of what went on before: five looks in a row see no further statement. */
  async function calm(): Promise<void> {
    let [before, looks] = [-1, 0];
    await eventually(
      async () => sentByNow.length,
      (count) => {
        looks = count === before ? looks + 1 : 0;
        before = count;
        return looks === 5;
      },
    );
  }

  async function walk(go: () => Promise<unknown>): Promise<Walk> {
    await calm();
    await session.post('Profiler.takePreciseCoverage');
    sentByNow.length = 0;
    await go();
    const sent = [...sentByNow];
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const found = result.flatMap(({ url, scriptId, functions }) => {
      const file = /\/libs\/payments\/src\/(.*)$/.exec(url)?.[1];
      const begins = functions.flatMap(({ ranges: [range] }) =>
        range && range.count > 0 ? [range.startOffset] : [],
      );
      return file === undefined || begins.length === 0 ? [] : [{ file, scriptId, begins }];
    });
    // A suite that ran in this process before may have left a file of its own there.
    const ran = [...new Map(found.map((one) => [one.file, one])).values()];
    const way = ran.filter(({ file }) => !GROUND.test(file));
    const steps: string[] = [];
    for (const { file, scriptId, begins } of way) {
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
      if (begins.some((begin) => scriptSource.startsWith('async', begin))) steps.push(file);
    }
    return {
      files: ran.map(({ file }) => file),
      way: way.map(({ file }) => file),
      steps,
      floors: [...new Set(ran.map(({ file }) => dirname(file).split('/')[0] ?? ''))],
      statements: sent,
    };
  }

  it('takes a create through twelve files that wait for something, and two statements', async () => {
    const create = await walk(() => host.payments.create(orderInput()));
    // Of the way, a third is pure: the functions that decide under the locks too.
    expect(beyond(create, { files: 107, way: 58, steps: 12, floors: 17, statements: 2 })).toEqual([]);
  });

  it('takes a notification through 22 files that wait for something until its handler has committed', async () => {
    const payment = await host.payments.create(orderInput());
    const notification = await walk(() => pay(payment));
    // What is looked for afterwards, in case there is more, is not on the way.
    const statements = notification.statements.slice(0, notification.statements.indexOf('COMMIT') + 1);
    const most = { files: 117, way: 65, steps: 22, floors: 16, statements: 11 };
    expect(beyond({ ...notification, statements }, most)).toEqual([]);
  });
});

/** What there is more of than there may be, all of it. A bound is raised for a step that is worth the way, and lowered with it. */
function beyond(walk: Walk, most: Readonly<Record<keyof Walk, number>>): readonly string[] {
  const counts = [
    ['files', walk.files, most.files],
    ['way', walk.way, most.way],
    ['steps', walk.steps, most.steps],
    ['floors', walk.floors, most.floors],
    ['statements', walk.statements, most.statements],
  ] as const;
  return counts
    .filter(([, found, bound]) => found.length > bound)
    .map(([what, found, bound]) => `${found.length} ${what} instead of ${bound}: ${found.join(', ')}`);
}
