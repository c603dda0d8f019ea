import { documentedMethods, yookassaMethods, type MethodName, type MethodRules } from './method-rules.js';
import { locales } from './requests/confirmation.js';
import { documentedProfile, type ServiceProfile } from './service-profile.js';

/** The public service YooKassa: its own addresses, capture path, ways of paying, and names for the interface's neutral words. */
export const yookassaProfile: ServiceProfile & {
  readonly serviceUrl: string;
  readonly methods: Readonly<Record<MethodName, MethodRules>>;
} = {
  ...documentedProfile,
  name: 'yookassa',
  // assumed: the interface writes {base_url} and {auth_url}
  serviceUrl: 'https://api.yookassa.ru',
  authUrl: 'https://yookassa.ru',
  paths: {
    ...documentedProfile.paths,
    // assumed: the interface shows /v3/{payment_id}/capture
    capture: (serviceId) => `/v3/payments/${encodeURIComponent(serviceId)}/capture`,
  },
  // assumed: the interface has words for them, no names
  permissions: {
    create: 'checkout:payments_create',
    capture: 'checkout:payments_capture',
    cancel: 'checkout:payments_cancel',
    refund: 'refunds_create',
    fees: 'get_fees',
  },
  receipts: true,
  methods: { ...yookassaMethods, wallet_pay: documentedMethods.wallet_pay },
  // `redirect` is assumed for SBP: the service shows `qr`
  bindings: { bank_card: ['redirect'], sbp: ['redirect', 'qr'] },
  paymentTokens: true,
  locales,
  readPermissions: ['checkout:payments_get', 'refunds_get'],
  // assumed: the naming note at the top of the interface says only that these stand for brand names
  wireNames: {
    methods: { wallet: 'yoo_money', wallet_pay: 'google_pay', bank_app_pay: 'sberbank' },
    cardSources: { card_app_pay: 'mir_pay' },
    cancellationParties: { service: 'yoo_money' },
  },
};
