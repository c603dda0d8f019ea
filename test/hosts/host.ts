import { PaymentsService, type PaymentsModuleOptions } from '@holdfast/payments';
import { startSandbox, type Sandbox, type SandboxOptions } from '@holdfast/sandbox';
import {
  Module,
  type INestApplication,
  type ModuleMetadata,
  type NestApplicationOptions,
} from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { canaries } from '../support/canaries.js';
import { loopbackProxies } from '../support/listen.js';
import { closing } from '../support/still-running.js';

/** A merchant's small application: what its root module holds, and how it is served. */
export interface HostSettings extends ModuleMetadata {
  http?: () => AbstractHttpAdapter;
  nest?: NestApplicationOptions;
  configure?: (app: INestApplication) => void;
  /** The address it listens on. */
  address?: string;
}

export interface Host {
  app: INestApplication;
  /** Without a trailing slash. */
  url: string;
  payments: PaymentsService;
  close(): Promise<void>;
}

export const httpAdapters: [name: string, http: () => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
];

@Module({})
class HostModule {}

/** Resolves when the host listens. If it cannot start, the host is closed and the promise rejects with the reason. */
export async function startHost(settings: HostSettings): Promise<Host> {
  const { http = () => new ExpressAdapter(), nest, configure, address = '127.0.0.1', ...metadata } = settings;
  const app = await NestFactory.create({ module: HostModule, ...metadata }, http(), {
    logger: false,
    abortOnError: false,
    forceCloseConnections: true,
    ...nest,
  });
  const close = closing(() => app.close());
  try {
    configure?.(app);
    await app.listen(0, address);
  } catch (error) {
    await close();
    throw error;
  }
  const payments = app.get(PaymentsService, { strict: false });
  return { app, url: await app.getUrl(), payments, close };
}

/** The host's data source, as most hosts have it. */
export const typeOrm = (url: string) =>
  TypeOrmModule.forRoot({ type: 'postgres', url, autoLoadEntities: true });

const account = { shopId: 'test_shop', secretKey: canaries.secretKey };

export const startTestSandbox = (settings: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
  startSandbox({ ...account, ...settings });

/** Options for a host whose reverse proxy runs on the same machine; its clock is the sandbox's. */
export const paymentsOptions = ({ url, clock }: Sandbox): PaymentsModuleOptions => ({
  ...account,
  serviceUrl: url,
  trustedProxies: loopbackProxies,
  sweeps: { intervalMs: 200 },
  clock,
});
