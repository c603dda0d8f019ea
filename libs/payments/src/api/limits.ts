import { DAY_MS, HOUR_MS, MINUTE_MS, YEAR_MS } from '../common/durations.js';

/** One limit of the service and where it comes from. */
interface Limit {
  readonly value: number | readonly number[];
  /** `documented` in the service interface, or `assumed`: left open there, with the public service's value. */
  readonly source: 'documented' | 'assumed';
}

/** Every limit of the service. Whatever checks or plans by one reads it here; units are in the names. */
export const limits = {
  // Of a payment
  /** A host's profile may have others: {@link ServiceProfile.methods}. */
  bankCardMinMinor: { value: 1_00, source: 'documented' },
  bankCardMaxMinor: { value: 350_000_00, source: 'documented' },
  descriptionLength: { value: 128, source: 'documented' },
  returnUrlLength: { value: 2048, source: 'assumed' },
  /** Of an address that an app returns to. */
  appReturnUrlLength: { value: 255, source: 'assumed' },
  /** Of a payment by a company. */
  paymentPurposeLength: { value: 210, source: 'assumed' },
  // Of an electronic certificate's articles
  articleNumberMax: { value: 999, source: 'assumed' },
  articleTextLength: { value: 128, source: 'assumed' },
  articlePieces: { value: 2_147_483_647, source: 'assumed' },
  truCodeLength: { value: 30, source: 'assumed' },
  // Of what is kept with an object
  metadataEntries: { value: 16, source: 'assumed' },
  metadataKeyLength: { value: 32, source: 'assumed' },
  metadataValueLength: { value: 512, source: 'assumed' },
  merchantCustomerIdLength: { value: 200, source: 'assumed' },
  paymentTokenLength: { value: 10_240, source: 'assumed' },
  cardPaymentTermMs: { value: HOUR_MS, source: 'documented' },
  cardHoldMs: { value: 7 * DAY_MS, source: 'documented' },
  // Of an invoice
  emailLength: { value: 254, source: 'assumed' },
  invoiceLines: { value: 1_000, source: 'assumed' },
  // Of a flight
  ticketNumberLength: { value: 150, source: 'assumed' },
  bookingReferenceLength: { value: 20, source: 'assumed' },
  airlineLegs: { value: 4, source: 'assumed' },
  airlinePassengers: { value: 500, source: 'assumed' },
  passengerNameLength: { value: 64, source: 'assumed' },
  // Of a card
  cardNumberMinDigits: { value: 13, source: 'assumed' },
  cardNumberMaxDigits: { value: 19, source: 'assumed' },
  cscMinDigits: { value: 3, source: 'assumed' },
  cscMaxDigits: { value: 4, source: 'assumed' },
  // Of a refund
  refundDescriptionLength: { value: 250, source: 'assumed' },
  /** From the payment on. */
  refundWindowMs: { value: 3 * YEAR_MS, source: 'assumed' },
  /** How long a card refund takes. */
  refundTermMs: { value: 3 * DAY_MS, source: 'documented' },
  // Of a request
  idempotenceKeyLength: { value: 64, source: 'assumed' },
  idempotenceKeyLifetimeMs: { value: DAY_MS, source: 'assumed' },
  idLength: { value: 64, source: 'assumed' },
  listPageMin: { value: 1, source: 'assumed' },
  listPageMax: { value: 100, source: 'assumed' },
  // Of notifications
  notificationPorts: { value: [443, 8443], source: 'documented' },
  notificationUrlLength: { value: 2048, source: 'assumed' },
  notificationRedeliveryMs: { value: DAY_MS, source: 'documented' },
  // Of the partnership program
  stateLength: { value: 1024, source: 'documented' },
  authorizationCodeMs: { value: 5 * MINUTE_MS, source: 'documented' },
  tokenLifetimeMs: { value: 5 * YEAR_MS, source: 'documented' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** A request may still be in flight, or be worked on, this long after it was last sent. */
export const IN_FLIGHT_MS = 5 * 60_000;

/** The last hour of a key's lifetime is not used, because the request may be in flight for minutes. */
const KEY_MARGIN_MS = HOUR_MS;
/** How long after its first request a key may be used. */
export const KEY_USABLE_MS = limits.idempotenceKeyLifetimeMs.value - KEY_MARGIN_MS;
