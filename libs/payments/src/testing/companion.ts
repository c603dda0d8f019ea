import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { Server } from 'node:http';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import {
  RESOLVED_OPTIONS,
  WEBHOOK_PATH,
  type ResolvedPaymentsOptions,
} from '../options/payments.module-definition.js';

/** The application that is being tested, while it runs. */
export interface RunningApplication {
  /** What its module provides. */
  get<T>(token: abstract new (...parameters: never[]) => T): T;
  /** null: it is an application without HTTP. */
  readonly http: { readonly server: Server; readonly webhookPath: string } | null;
}

/** Learns which application runs. */
export interface ApplicationLink {
  started(application: RunningApplication): void;
  ended(application: RunningApplication): void;
}

const LINK = Symbol('TEST_PAYMENTS_LINK');

/** Tells the kit of the application that it is a part of. */
@Injectable()
class Companion implements OnApplicationBootstrap, OnModuleDestroy {
  #application: RunningApplication | null = null;

  constructor(
    @Inject(LINK) private readonly link: ApplicationLink,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(HttpAdapterHost) private readonly adapters: HttpAdapterHost,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
  ) {}

  onApplicationBootstrap(): void {
    const options = this.moduleRef.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS, { strict: false });
    if (options.sweepIntervalMs === null)
      throw new PaymentsConfigurationError([
        'sweeps: leave false out in tests: settled() waits for the sweeps',
      ]);
    const adapter: HttpAdapterHost['httpAdapter'] | undefined = this.adapters.httpAdapter;
    const server: Server | undefined = adapter?.getHttpServer();
    this.#application = {
      get: (token) => this.moduleRef.get(token, { strict: false }),
      http: server ? { server, webhookPath: this.#webhookPath() } : null,
    };
    this.link.started(this.#application);
  }

  onModuleDestroy(): void {
    if (this.#application) this.link.ended(this.#application);
  }

  /** Below the global prefix, as the router has it. */
  #webhookPath(): string {
    const path = this.moduleRef.get<string>(WEBHOOK_PATH, { strict: false });
    const { exclude = [] } = this.config.getGlobalPrefixOptions();
    const isExcluded = exclude.some(({ pathRegex }) => pathRegex.test(`/${path}`));
    const parts = [...(isExcluded ? [] : [this.config.getGlobalPrefix()]), path];
    return `/${parts.flatMap((part) => part.split('/').filter((name) => name !== '')).join('/')}`;
  }
}

@Module({})
class CompanionModule {}

export function companionModule(link: ApplicationLink): DynamicModule {
  // By a factory: Nest may write a value down to tell modules apart.
  return { module: CompanionModule, providers: [{ provide: LINK, useFactory: () => link }, Companion] };
}
