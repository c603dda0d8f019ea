import {
  OnPaymentEvent,
  PaymentsModule,
  PaymentsOperator,
  PaymentsService,
  type HandlerContext,
  type HoldEvent,
  type PaymentEvent,
  type PaymentsModuleExtras,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { PartnerService, type PartnerOptions, type Store, type StoreEvent } from '@holdfast/payments/partner';
import { startSandbox, type NewApp, type Sandbox, type SandboxOptions } from '@holdfast/sandbox';
import { Injectable, Module, type INestApplication, type Provider } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { ScheduleModule } from '@nestjs/schedule';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import type { DataSource, Logger } from 'typeorm';
import { OwnerBrowser } from '../../tools/soak/stage/owner-browser.js';
import { testAccount } from '../support/account.js';
import { canaries } from '../support/canaries.js';
import { watch, watchedHooks } from '../support/canary-watch.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { onFreePort } from '../support/free-port.js';
import { loopbackProxies } from '../support/listen.js';
import { closing } from '../support/still-running.js';

export const app = {
  clientId: 'tea_platform',
  clientSecret: canaries.clientSecret,
  name: 'Tea platform',
  permissions: ['payments_create', 'payments_capture', 'payments_cancel', 'refunds_create'],
} as const satisfies Omit<NewApp, 'callbackUrl'>;

/** Every run it commits leaves a row. */
@Injectable()
class Effects {
  @OnPaymentEvent('payment.succeeded', { id: 'test.succeeded' })
  succeeded({ name, payment }: PaymentEvent, context: HandlerContext): Promise<void> {
    return record(name, payment.id, context);
  }

  @OnPaymentEvent('hold.expiring', { id: 'test.hold-expiring' })
  holdExpiring({ name, payment }: HoldEvent, context: HandlerContext): Promise<void> {
    return record(name, payment.id, context);
  }

  @OnPaymentEvent('store.connected', { id: 'test.store-connected' })
  connected({ name, store }: StoreEvent, context: HandlerContext): Promise<void> {
    return record(name, store.id, context);
  }

  @OnPaymentEvent('store.needs_reconnect', { id: 'test.store-needs-reconnect' })
  needsReconnect({ name, store }: StoreEvent, context: HandlerContext): Promise<void> {
    return record(name, store.id, context);
  }

  @OnPaymentEvent('store.disconnected', { id: 'test.store-disconnected' })
  disconnected({ name, store }: StoreEvent, context: HandlerContext): Promise<void> {
    return record(name, store.id, context);
  }

  @OnPaymentEvent('store.token_expiring', { id: 'test.store-token-expiring' })
  expiring({ name, store }: StoreEvent, context: HandlerContext): Promise<void> {
    return record(name, store.id, context);
  }
}

async function record(name: string, subjectId: string, { manager }: HandlerContext): Promise<void> {
  await manager.query('INSERT INTO effects (event, subject_id) VALUES ($1, $2)', [name, subjectId]);
}

export interface PartnerHost {
  readonly app: INestApplication;
  readonly url: string;
  readonly payments: PaymentsService;
  readonly partner: PartnerService;
  readonly operator: PaymentsOperator;
  /** The module's own, under the role that owns nothing. */
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

type HostOptions = Omit<PaymentsModuleOptions, 'partner'> &
  Pick<PaymentsModuleExtras, 'cardData'> & {
    /** Default: the bench's own database. */
    databaseUrl?: string;
    /** Connections of the data source. Default: the driver's ten. */
    poolSize?: number;
    partner?: Partial<PartnerOptions>;
    http?: () => AbstractHttpAdapter;
    /** false: the application has no shop of its own. */
    shop?: boolean;
    /** true: it has nothing else, and no stores are connected. */
    alone?: boolean;
    /** Receives every statement. */
    logger?: Logger;
    providers?: Provider[];
    /** Called with the application before it listens. */
    configure?: (app: INestApplication) => void;
  };

/** A database, a sandbox with an app, and any number of hosts (replicas) that use the app for their stores. */
export interface PartnerBench {
  readonly database: TestDatabase;
  readonly sandbox: Sandbox;
  /** The warnings that the hosts logged. */
  readonly logs: string[];
  /** For what the hosts' role may not do. */
  readonly asOwner: TestDatabase['asOwner'];
  startHost(options?: HostOptions): Promise<PartnerHost>;
  close(): Promise<void>;
}

const tokenKeys = { current: 'test', keys: { test: randomBytes(32).toString('base64') } };

/** Default: the app has every permission except the one for commissions. `settings`: of the sandbox. */
export async function openPartnerBench(
  registered: Partial<NewApp> = {},
  settings: Partial<SandboxOptions> = {},
): Promise<PartnerBench> {
  const database = await createTestDatabase();
  const sandbox = await startSandbox({ ...testAccount, ...settings });
  const closeSandbox = closing(() => sandbox.close());
  const hosts: PartnerHost[] = [];
  await database.asOwner('CREATE TABLE effects (event text NOT NULL, subject_id uuid NOT NULL)');
  const logs: string[] = [];
  const hear = (said: unknown): void => {
    watch('a log', String(said));
    logs.push(String(said));
  };

  const startOn = async (port: number, options: HostOptions): Promise<PartnerHost> => {
    const {
      partner = {},
      http = () => new ExpressAdapter(),
      shop = true,
      alone = false,
      logger,
      providers = [],
      configure,
      poolSize,
      databaseUrl = database.moduleUrl,
      ...others
    } = options;
    const url = `http://127.0.0.1:${port}`;
    @Module({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          type: 'postgres',
          // The module's role may not remove old rows.
          url: others.retentionMs ? database.url : databaseUrl,
          autoLoadEntities: true,
          ...(poolSize !== undefined && { poolSize }),
          ...(logger && { logger }),
        }),
        PaymentsModule.forRoot({
          ...(shop && testAccount),
          serviceUrl: sandbox.url,
          trustedProxies: loopbackProxies,
          sweeps: { intervalMs: 200 },
          // No call gives up, however busy the machine is.
          requestTimeoutMs: 10_000,
          callDeadlineMs: 20_000,
          retentionMs: false,
          clock: sandbox.clock,
          hooks: watchedHooks,
          ...(!alone && { tokenKeys }),
          ...others,
          ...(!alone && {
            partnerCallbackPath: 'partner/callback',
            partner: {
              clientId: app.clientId,
              clientSecret: app.clientSecret,
              permissions: app.permissions,
              authUrl: sandbox.url,
              webhookUrl: `${url}/webhooks/payments`,
              ownerOf: (request: object) => signedIn(request),
              ...partner,
            },
          }),
        }),
      ],
      providers: [alone ? [] : Effects, providers].flat(),
    })
    class HostModule {}

    const nest = await NestFactory.create(HostModule, http(), {
      logger: {
        log: () => {},
        warn: hear,
        error: hear,
      },
      abortOnError: false,
      forceCloseConnections: true,
    });
    const close = closing(() => nest.close());
    const dataSource = nest.get<DataSource>(getDataSourceToken());
    configure?.(nest);
    await nest.listen(port, '127.0.0.1').catch(async (error: unknown) => {
      await close();
      throw error;
    });
    const known = sandbox.apps.list().some(({ clientId }) => clientId === app.clientId);
    if (!known) sandbox.apps.register({ ...app, callbackUrl: `${url}/partner/callback`, ...registered });
    const host = {
      app: nest,
      url,
      dataSource,
      payments: nest.get(PaymentsService),
      // There is none where the application acts for nobody.
      get partner() {
        return nest.get(PartnerService);
      },
      operator: nest.get(PaymentsOperator),
      close,
    };
    hosts.push(host);
    return host;
  };
  const startHost: PartnerBench['startHost'] = (options = {}) => onFreePort((port) => startOn(port, options));

  return {
    database,
    sandbox,
    logs,
    asOwner: database.asOwner,
    startHost,
    async close() {
      for (const host of hosts) await host.close();
      await closeSandbox();
      await database.drop();
    },
  };
}

/** The host's session: a header says who is signed in. */
function signedIn(request: object): string | null {
  const headers = request instanceof IncomingMessage ? request.headers : Reflect.get(request, 'headers');
  const owner: unknown = Reflect.get(Object(headers), 'x-owner');
  return typeof owner === 'string' ? owner : null;
}

interface Consent {
  readonly ownerRef?: string;
  readonly login?: string;
  readonly accountId?: string;
  readonly decision?: 'approve' | 'refuse';
  readonly returnTo?: string;
}

/** Walks through the service's pages; returns the address to which the service sends the owner back. */
export async function consent(
  { sandbox }: Pick<PartnerBench, 'sandbox'>,
  authorizeUrl: string,
  { login = 'second_owner', accountId = 'test_tea_house', decision = 'approve' }: Consent = {},
): Promise<string> {
  const browser = new OwnerBrowser(sandbox);
  const page = await browser.signIn(authorizeUrl.slice(sandbox.url.length), login);
  const { location } = await browser.send(page, 'consent-form', { store: accountId, decision });
  if (location === null) throw new Error('The service did not send the owner back.');
  return location;
}

export interface Led {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** Opens our callback in the owner's browser; `ownerRef` null: nobody is signed in. */
export async function comeBack(callback: string, ownerRef: string | null = 'owner-1'): Promise<Led> {
  const response = await fetch(callback, {
    redirect: 'manual',
    headers: ownerRef === null ? {} : { 'x-owner': ownerRef },
  });
  const { status, headers } = response;
  return { status, location: headers.get('location') ?? '', text: await response.text() };
}

/** Sets out, grants and comes back. */
export async function connect(bench: PartnerBench, host: PartnerHost, way: Consent = {}): Promise<Store> {
  const { ownerRef = 'owner-1', returnTo = '/stores' } = way;
  const callback = await consent(bench, await host.partner.authorizeUrl({ ownerRef, returnTo }), way);
  const { location } = await comeBack(callback, ownerRef);
  const id = new URLSearchParams(location.split('?')[1]).get('store');
  if (id === null) throw new Error(`No store was connected: ${location}`);
  return host.partner.getStore(id);
}

/** A demo store of its own with its own owner at the service. */
export function anotherStore({ sandbox }: PartnerBench): string {
  return sandbox.stores.add({ owner: 'second_owner' }).accountId;
}

/** Committed handler effects of a payment or store, in alphabetical order. */
export async function effects({ dataSource }: PartnerHost, subjectId: string): Promise<string[]> {
  const rows = await dataSource.query<{ event: string }[]>(
    'SELECT event FROM effects WHERE subject_id = $1 ORDER BY event',
    [subjectId],
  );
  return rows.map(({ event }) => event);
}

export function storeBecomes({ partner }: PartnerHost, id: string, status: Store['status']): Promise<Store> {
  return eventually(
    () => partner.getStore(id),
    (store) => store.status === status,
  );
}

let orders = 0;

/** Input for a create of 100.00 roubles in a store, for an order of its own. */
export function orderIn(store: string | undefined, reference = `order-${(orders += 1)}`) {
  return {
    ...(store !== undefined && { store }),
    order: { reference },
    amount: { value: '100.00', currency: 'RUB' as const },
    returnUrl: 'https://shop.example/return',
  };
}
