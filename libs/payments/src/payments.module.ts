import { HttpModule } from '@nestjs/axios';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsApi } from './api/payments-api.js';
import { serviceAgents } from './api/service-agent.js';
import { Adoption } from './apply/adoption.js';
import { callsProviders } from './calls/providers.js';
import { CardPaymentsService } from './card-data/card-payments.service.js';
import { Database } from './database/database.js';
import { hostDataSource, missingDataSource } from './database/host-data-source.js';
import { handlersProviders } from './handlers/providers.js';
import { notificationsController } from './notifications/notifications.controller.js';
import { notificationsProviders } from './notifications/providers.js';
import { operationsProviders } from './operations/providers.js';
import { PaymentsOperator } from './operator/payments-operator.service.js';
import { PaymentsVitals } from './operator/payments-vitals.js';
import { operatorProviders } from './operator/providers.js';
import { filledExtras } from './options/module-extras.js';
import {
  ConfigurableModuleClass,
  type ASYNC_OPTIONS_TYPE,
  type OPTIONS_TYPE,
  type PaymentsModuleExtras,
} from './options/payments.module-definition.js';
import { missingOptions, optionsProviders } from './options/providers.js';
import { callbackController } from './partner/callback.controller.js';
import { PartnerService } from './partner/partner.service.js';
import { partnerProviders } from './partner/providers.js';
import { PaymentReceipts } from './payment-receipts.js';
import { paymentProviders } from './payment/providers.js';
import { PaymentsBootstrap } from './payments.bootstrap.js';
import { PaymentsService } from './payments.service.js';
import { reconcileProviders } from './reconcile/providers.js';
import { recoveryProviders } from './recovery/providers.js';
import { Retention } from './retention/retention.js';
import { rollbackProviders } from './rollback/providers.js';
import { SchemaCheck } from './schema-check.js';
import { paymentsEntities } from './schema/entities.js';
import { sendProviders } from './send/providers.js';
import { storesProviders } from './stores/providers.js';
import { Sweeper } from './sweeper.js';
import { Telemetry } from './telemetry/telemetry.js';
import { workProviders } from './work/providers.js';

/**
 * Takes payments in a Nest application: PaymentsService, the webhook route, the tables and the sweep.
 *
 * The host provides a TypeORM data source (PostgreSQL) and, where sweeps run, `ScheduleModule.forRoot()`.
 */
@Module({
  // An axios of our own: HttpModule's is shared by the whole process, and the host's interceptors would see the secret key.
  imports: [HttpModule.register(serviceAgents), DiscoveryModule],
  providers: [
    ...missingOptions,
    missingDataSource,
    Database,
    ...workProviders,
    Telemetry,
    ...storesProviders,
    ...paymentProviders,
    ...rollbackProviders,
    ...operationsProviders,
    Adoption,
    ...sendProviders,
    ...notificationsProviders,
    ...reconcileProviders,
    ...recoveryProviders,
    ...callsProviders,
    ...handlersProviders,
    Retention,
    ...operatorProviders,
    SchemaCheck,
    PaymentReceipts,
    Sweeper,
    PaymentsBootstrap,
    PaymentsService,
  ],
  exports: [PaymentsService, PaymentsOperator, PaymentsApi, PaymentsVitals, Telemetry],
})
export class PaymentsModule extends ConfigurableModuleClass {
  /**
   * @throws PaymentsConfigurationError at start, listing every fault of the options with its fix
   * @example
   * PaymentsModule.forRoot({
   *   profile: yookassaProfile,
   *   shopId: process.env.PAYMENTS_SHOP_ID ?? '',
   *   secretKey: process.env.PAYMENTS_SECRET_KEY ?? '',
   *   trustedProxies: ['127.0.0.1'],
   * });
   */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return assemble(super.forRoot(options), options);
  }

  /**
   * As {@link forRoot}, with the options from a factory; path, data source and the like stand beside it.
   * @example
   * PaymentsModule.forRootAsync({
   *   isGlobal: true,
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({
   *     profile: yookassaProfile,
   *     shopId: config.getOrThrow<string>('PAYMENTS_SHOP_ID'),
   *     secretKey: config.getOrThrow<string>('PAYMENTS_SECRET_KEY'),
   *   }),
   * });
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return assemble(super.forRootAsync(options), options);
  }
}

function assemble(module: DynamicModule, given: PaymentsModuleExtras): DynamicModule {
  const { extras, faults } = filledExtras(given);
  const {
    webhookPath,
    webhookDecorators,
    partnerCallbackPath,
    partnerCallbackDecorators,
    dataSource,
    cardData,
  } = extras;
  const hasOwners = partnerCallbackPath !== null;
  return {
    ...module,
    imports: [...(module.imports ?? []), entitiesOf(dataSource)],
    controllers: [
      notificationsController(webhookPath, webhookDecorators),
      ...(hasOwners ? [callbackController(partnerCallbackPath, partnerCallbackDecorators)] : []),
    ],
    providers: [
      ...optionsProviders(module.providers ?? [], { cardData, webhookPath, partnerCallbackPath }, faults),
      ...hostDataSource(dataSource),
      ...(cardData ? [CardPaymentsService] : []),
      ...(hasOwners ? partnerProviders : []),
    ],
    exports: [...(cardData ? [CardPaymentsService] : []), ...(hasOwners ? [PartnerService] : [])],
  };
}

/**
 * Makes the entities known to `autoLoadEntities`. Their repositories, which nobody injects, would need the data source to exist.
 */
function entitiesOf(dataSource: string): DynamicModule {
  return { ...TypeOrmModule.forFeature(paymentsEntities, dataSource), providers: [], exports: [] };
}
