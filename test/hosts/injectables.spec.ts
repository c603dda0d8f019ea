import { PaymentsModule, type PaymentsModuleOptions } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import type { Type } from '@nestjs/common';
import { INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

/** Fewer is better: whoever adds one says what it buys. */
const MOST = 78;
const MOST_PARAMETERS = 6;

/** The injectables and controllers of the module that this host has made, as Nest's own container has them. */
function madeIn({ app }: Host): {
  readonly injectables: readonly Type[];
  readonly controllers: readonly Type[];
} {
  const payments = [...app.get(ModulesContainer).values()].find(
    ({ metatype }) => metatype === PaymentsModule,
  );
  const made = (wrappers: Iterable<{ readonly metatype: unknown; readonly instance: unknown }>) =>
    [...wrappers].flatMap(({ metatype, instance }) => (isClass(metatype) && instance ? [metatype] : []));
  return {
    injectables: made(payments?.providers.values() ?? []).filter((one) =>
      Reflect.hasMetadata(INJECTABLE_WATERMARK, one),
    ),
    controllers: made(payments?.controllers.values() ?? []),
  };
}

function isClass(metatype: unknown): metatype is Type {
  return typeof metatype === 'function';
}

const longest = (classes: readonly Type[]) =>
  classes.filter(({ length }) => length > MOST_PARAMETERS).map(({ name, length }) => `${name}: ${length}`);

describe('what the module is made of', () => {
  let sandbox: Sandbox;
  let database: OpenDatabase;
  let host: Host;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
    database = await openDatabase();
  });
  afterEach(() => host.close());
  afterAll(async () => {
    await sandbox.close();
    await database.close();
  });

  const start = (more: Partial<PaymentsModuleOptions> & Parameters<typeof PaymentsModule.forRoot>[0]) =>
    startHost({
      imports: [typeOrm(database.url), ScheduleModule.forRoot(), PaymentsModule.forRoot(more)],
    });

  it('is little for a shop of one store', async () => {
    host = await start(paymentsOptions(sandbox));
    const { injectables, controllers } = madeIn(host);
    expect(injectables.length).toBeGreaterThan(50);
    expect(injectables.length).toBeLessThanOrEqual(MOST);
    expect(longest([...injectables, ...controllers])).toEqual([]);
  });

  it('is more where owners connect their stores, and where card data is sent', async () => {
    host = await start({
      ...paymentsOptions(sandbox),
      partnerCallbackPath: 'partner/callback',
      cardData: true,
    });
    const { injectables, controllers } = madeIn(host);
    const names = injectables.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['CardPaymentsService', 'PartnerService', 'StoreMaintenance']),
    );
    expect(longest([...injectables, ...controllers])).toEqual([]);
  });
});
