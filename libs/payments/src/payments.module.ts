import { HttpModule, HttpService } from '@nestjs/axios';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsApi } from './api/payments-api.js';
import { serviceAgents } from './api/service-agent.js';
import { Applier } from './apply/applier.js';
import { FoundAfterAll } from './apply/found-after-all.js';
import { OwedReceipts } from './apply/receipts/owed-receipts.js';
import { ReceiptApplier } from './apply/receipts/receipt-applier.js';
import { RefundApplier } from './apply/refunds/refund-applier.js';
import { CaptureCancelCalls } from './calls/capture-cancel-calls.js';
import { CreateCalls } from './calls/create-calls.js';
import { OperationCalls } from './calls/operation-calls.js';
import { PrepaymentCalls } from './calls/receipts/prepayment-calls.js';
import { ReceiptCalls } from './calls/receipts/receipt-calls.js';
import { RefundCalls } from './calls/refund-calls.js';
import { SavedMethods } from './calls/saved-methods.js';
import { CardPaymentsService } from './card-data/card-payments.service.js';
import { Database } from './database/database.js';
import { hostDataSource } from './database/host-data-source.js';
import { Deliverer } from './handlers/deliverer.js';
import { DeliveryClaims } from './handlers/delivery-claims.js';
import { DeliveryTurns } from './handlers/delivery-turns.js';
import { HandlerRegistry } from './handlers/handler.registry.js';
import { DoorCheck } from './notifications/door/door-check.js';
import { RefusedSenders } from './notifications/door/refused-senders.js';
import { SenderGuard } from './notifications/door/sender.guard.js';
import { ForeignNotifications } from './notifications/foreign-notifications.js';
import { HandOver } from './notifications/hand-over.js';
import { Intake } from './notifications/intake.js';
import { NotificationLeases } from './notifications/notification-leases.js';
import { notificationsController } from './notifications/notifications.controller.js';
import { ObjectNotifications } from './notifications/object-notifications.js';
import { RefundNotices } from './notifications/refund-notices.js';
import { CreateRecorder } from './operations/create-recorder.js';
import { OperationRecorder } from './operations/operation-recorder.js';
import { OwedReceiptRecorder } from './operations/receipts/owed-receipt-recorder.js';
import { ReceiptRecorder } from './operations/receipts/receipt-recorder.js';
import { RefundRecorder } from './operations/refunds/refund-recorder.js';
import { Audit } from './operator/audit.js';
import { BacklogReader } from './operator/backlog.js';
import { ForeignNotificationReader } from './operator/foreign-notification.js';
import { ParkedDeliveries } from './operator/parked-deliveries.js';
import { PaymentsOperator } from './operator/payments-operator.service.js';
import { ReceiptAudit } from './operator/receipts/audit-receipts.js';
import { ReceiptProblems } from './operator/receipts/receipt-problems.js';
import { RefundAcceptance } from './operator/refund-acceptance.js';
import {
  ASYNC_OPTIONS_TYPE,
  CARD_DATA,
  ConfigurableModuleClass,
  defaultExtras,
  MODULE_OPTIONS_TOKEN,
  OPTIONS_TYPE,
  RESOLVED_OPTIONS,
  WEBHOOK_PATH,
  type PaymentsModuleExtras,
  type ResolvedPaymentsOptions,
} from './options/payments.module-definition.js';
import { resolveOptions } from './options/payments.resolved-options.js';
import { AuthorizationServer } from './partner/authorization-server.js';
import { callbackController } from './partner/callback.controller.js';
import { ConnectedStores } from './partner/connected-stores.js';
import { OAuthStates } from './partner/oauth-states.js';
import { OwnerCallback } from './partner/owner-callback.js';
import { PartnerService } from './partner/partner.service.js';
import { StoreLeases } from './partner/store-leases.js';
import { StoreMaintenance } from './partner/store-maintenance.js';
import { Subscriptions } from './partner/subscriptions.js';
import { TokenApi } from './partner/token-api.js';
import { PaymentReceipts } from './payment-receipts.js';
import { Ledger } from './payment/ledger.js';
import { PaymentReader } from './payment/payment.reader.js';
import { PaymentsBootstrap } from './payments.bootstrap.js';
import { PaymentsService } from './payments.service.js';
import { CatchUp } from './reconcile/catch-up.js';
import { Claims } from './reconcile/claims.js';
import { FullReader } from './reconcile/full-reader.js';
import { HoldKeeper } from './reconcile/hold-keeper.js';
import { LostCreate } from './reconcile/lost-create.js';
import { OperationResolver } from './reconcile/operation-resolver.js';
import { QueueCheck } from './reconcile/queue-check.js';
import { ReadingWriter } from './reconcile/reading-writer.js';
import { ReceiptFetcher } from './reconcile/receipts/receipt-fetcher.js';
import { Reconciler } from './reconcile/reconciler.js';
import { RefundFetcher } from './reconcile/refunds/refund-fetcher.js';
import { RefundWatch } from './reconcile/refunds/refund-watch.js';
import { Reread } from './reconcile/reread.js';
import { Rereads } from './reconcile/rereads.js';
import { ServiceClock } from './reconcile/service-clock.js';
import { SilenceAlarm } from './reconcile/silence-alarm.js';
import { UnreachableHolds } from './reconcile/unreachable-holds.js';
import { Retention } from './retention/retention.js';
import { SchemaCheck } from './schema-check.js';
import { paymentsEntities } from './schema/entities.js';
import { OperationEffects } from './send/operation-effects.js';
import { OperationSender } from './send/operation-sender.js';
import { RateLimiter } from './stores/rate-limiter.js';
import { StoreCredentials } from './stores/store-credentials.js';
import { StoreRules } from './stores/store-rules.js';
import { StoreTurns } from './stores/store-turns.js';
import { StoreRegistry } from './stores/store.registry.js';
import { SuspectTokens } from './stores/suspect-tokens.js';
import { TokenRotation } from './stores/token-rotation.js';
import { TokenVault } from './stores/token-vault.js';
import { Sweeper } from './sweeper.js';
import { Shutdown } from './work/shutdown.js';
import { WorkSignal } from './work/work-signal.js';

/**
 * Takes payments in a Nest application: PaymentsService, the webhook route, the tables and the sweep.
 *
 * The host provides a TypeORM data source (PostgreSQL) and, where sweeps run, `ScheduleModule.forRoot()`.
 */
@Module({
  // An axios of our own: HttpModule's is shared by the whole process, and the host's interceptors would see the secret key.
  imports: [HttpModule.register(serviceAgents), DiscoveryModule],
  providers: [
    {
      provide: PaymentsApi,
      inject: [HttpService, RESOLVED_OPTIONS, StoreCredentials, SuspectTokens, CARD_DATA],
      useFactory: (
        http: HttpService,
        options: ResolvedPaymentsOptions,
        { source: credentials }: StoreCredentials,
        { hooks }: SuspectTokens,
        cardData: boolean,
      ) => new PaymentsApi({ ...options, credentials, hooks, cardData }, http.axiosRef),
    },
    Database,
    SchemaCheck,
    StoreRegistry,
    TokenVault,
    StoreCredentials,
    SuspectTokens,
    TokenApi,
    StoreRules,
    ConnectedStores,
    StoreLeases,
    Subscriptions,
    AuthorizationServer,
    StoreMaintenance,
    CatchUp,
    OAuthStates,
    OwnerCallback,
    PartnerService,
    TokenRotation,
    StoreTurns,
    PaymentReader,
    OperationRecorder,
    RefundApplier,
    OwedReceipts,
    ReceiptApplier,
    ReceiptFetcher,
    OwedReceiptRecorder,
    ReceiptRecorder,
    ReceiptCalls,
    PrepaymentCalls,
    PaymentReceipts,
    Applier,
    OperationEffects,
    OperationSender,
    RateLimiter,
    Rereads,
    Ledger,
    ReadingWriter,
    Reread,
    FullReader,
    CreateRecorder,
    HandOver,
    Claims,
    LostCreate,
    FoundAfterAll,
    ServiceClock,
    OperationResolver,
    RefundFetcher,
    SilenceAlarm,
    UnreachableHolds,
    HoldKeeper,
    Reconciler,
    OperationCalls,
    CreateCalls,
    CaptureCancelCalls,
    SavedMethods,
    RefundCalls,
    RefundRecorder,
    RefundNotices,
    HandlerRegistry,
    DeliveryClaims,
    DeliveryTurns,
    Deliverer,
    Intake,
    NotificationLeases,
    ObjectNotifications,
    ForeignNotifications,
    RefusedSenders,
    SenderGuard,
    DoorCheck,
    WorkSignal,
    Shutdown,
    RefundWatch,
    QueueCheck,
    Retention,
    Sweeper,
    PaymentsBootstrap,
    PaymentsService,
    ParkedDeliveries,
    ReceiptProblems,
    RefundAcceptance,
    BacklogReader,
    ForeignNotificationReader,
    Audit,
    ReceiptAudit,
    PaymentsOperator,
  ],
  exports: [PaymentsService, PartnerService, PaymentsOperator, PaymentsApi],
})
export class PaymentsModule extends ConfigurableModuleClass {
  /**
   * @throws PaymentsConfigurationError at start, listing every fault of the options with its fix
   * @example
   * PaymentsModule.forRoot({
   *   serviceUrl: process.env.PAYMENTS_SERVICE_URL ?? '',
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
   *     serviceUrl: config.getOrThrow<string>('PAYMENTS_SERVICE_URL'),
   *     shopId: config.getOrThrow<string>('PAYMENTS_SHOP_ID'),
   *     secretKey: config.getOrThrow<string>('PAYMENTS_SECRET_KEY'),
   *   }),
   * });
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return assemble(super.forRootAsync(options), options);
  }
}

function assemble(module: DynamicModule, extras: PaymentsModuleExtras): DynamicModule {
  const {
    webhookPath,
    webhookDecorators,
    partnerCallbackPath,
    partnerCallbackDecorators,
    dataSource,
    cardData,
  } = { ...defaultExtras, ...extras };
  return {
    ...module,
    imports: [...(module.imports ?? []), entitiesOf(dataSource)],
    controllers: [
      notificationsController(webhookPath, webhookDecorators),
      callbackController(partnerCallbackPath, partnerCallbackDecorators),
    ],
    providers: [
      ...(module.providers ?? []).map(resolvedAtOnce),
      { provide: CARD_DATA, useValue: cardData },
      { provide: WEBHOOK_PATH, useValue: webhookPath },
      hostDataSource(dataSource),
      ...(cardData ? [CardPaymentsService] : []),
    ],
    exports: cardData ? [CardPaymentsService] : [],
  };
}

/**
 * Makes the entities known to `autoLoadEntities`. Their repositories, which nobody injects, would need the data source to exist.
 */
function entitiesOf(dataSource: string): DynamicModule {
  return { ...TypeOrmModule.forFeature(paymentsEntities, dataSource), providers: [], exports: [] };
}

/**
 * The host's options contain the secret key in clear, and Nest keeps every provider's value where a dump shows it. So only the
 * resolved options are kept.
 */
function resolvedAtOnce(provider: Provider): Provider {
  if (!('provide' in provider) || provider.provide !== MODULE_OPTIONS_TOKEN) return provider;
  if ('useValue' in provider) {
    const { useValue } = provider;
    return { provide: RESOLVED_OPTIONS, useFactory: () => resolveOptions(useValue) };
  }
  if (!('useFactory' in provider)) return provider;
  const { useFactory, ...rest } = provider;
  const resolve = async (...injected: unknown[]) => resolveOptions(await useFactory(...injected));
  return { ...rest, provide: RESOLVED_OPTIONS, useFactory: resolve };
}
