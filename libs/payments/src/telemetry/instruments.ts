import { lanes } from '../schema/due.entity.js';

/** One metric. Its labels have these values only, or those that the text describes, which are bounded by code: never an id of data. */
export interface Instrument {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  /** As UCUM writes units: `s`; in braces what is counted. */
  readonly unit: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
}

/**
 * Every metric of the module: what it is made from, what the documents list, and what a test keeps as it is. A time has its unit in
 * its name: some exporters for Prometheus add the unit where it is missing, and some do not, and alerts are written once.
 */
export const instruments = {
  'holdfast.requests': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests to the payment service, each attempt counted; not_sent: the circuit breaker was open',
    labels: {
      operation: 'the method of PaymentsApi',
      outcome: ['answered', 'refused', 'unknown', 'not_sent'],
    },
  },
  'holdfast.request.duration.seconds': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from a request to the payment service to its answer, or until it was given up',
    labels: { operation: 'the method of PaymentsApi' },
  },
  'holdfast.notifications': {
    kind: 'counter',
    unit: '{notification}',
    description:
      'Notifications of admitted senders: stored, of no store of ours, unreadable, or not stored and answered 503',
    labels: { result: ['stored', 'no_store', 'unreadable', 'not_stored'] },
  },
  'holdfast.notifications.refused': {
    kind: 'counter',
    unit: '{notification}',
    description:
      'Notifications refused since their sender is not on the list, by the setting that would admit the sender',
    labels: { setting: ['trustedProxies', 'notificationSenders', 'X-Forwarded-For', 'webhookSecret'] },
  },
  'holdfast.changes': {
    kind: 'counter',
    unit: '{change}',
    description: 'Changes of payments that re-reads found: announced by a notification, or found by polling',
    labels: { found: ['announced', 'polled'] },
  },
  'holdfast.reread.delay.seconds': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from the moment a payment was due for a re-read to its claim by a sweep',
    labels: { lane: lanes },
  },
  'holdfast.deliveries': {
    kind: 'counter',
    unit: '{run}',
    description:
      'Runs of handlers and effects; postponed: until what the database forgot has been read at the service',
    labels: {
      handler: 'the id of the handler or effect, as your code gives it',
      result: ['done', 'failed', 'parked', 'postponed'],
    },
  },
  'holdfast.notification.delay.seconds': {
    kind: 'histogram',
    unit: 's',
    description: "Time from a payment's notification to the commit of a handler that it leads to",
    labels: { handler: 'the id of the handler, as your code gives it' },
  },
  'holdfast.budget.exhausted': {
    kind: 'counter',
    unit: '{claim}',
    description: 'Claims of payments that left their store no request for polls, by the rate limiter',
    labels: {},
  },
  'holdfast.budget.rests': {
    kind: 'counter',
    unit: '{answer}',
    description: 'Answers of the payment service that asked for a pause',
    labels: {},
  },
  'holdfast.breaker.open': {
    kind: 'gauge',
    unit: '{breaker}',
    description:
      'Circuit breakers of this process that are open: the one of the service, and those of stores',
    labels: { of: ['service', 'store'] },
  },
  'holdfast.sweep.age.seconds': {
    kind: 'gauge',
    unit: 's',
    description:
      'Time since this process last looked for its work; absent where it does not sweep, or has not yet',
    labels: {},
  },
  'holdfast.figures.age.seconds': {
    kind: 'gauge',
    unit: 's',
    description: 'Time since this process last read the figures below from the database, or began to try',
    labels: {},
  },
  'holdfast.backlog.size': {
    kind: 'gauge',
    unit: '{item}',
    description: 'What waits, each figure of the backlog counted up to 1,000',
    labels: { queue: "a figure of PaymentsOperator's backlog, in snake_case" },
  },
  'holdfast.backlog.age.seconds': {
    kind: 'gauge',
    unit: 's',
    description: 'How long the oldest of them has waited; 0 if nothing waits',
    labels: { queue: "a figure of PaymentsOperator's backlog, in snake_case" },
  },
  'holdfast.conditions': {
    kind: 'gauge',
    unit: '{condition}',
    description: '1 while the condition holds, else 0',
    labels: { condition: 'a name of conditionsOf' },
  },
  'holdfast.hold.nearest_end.seconds': {
    kind: 'gauge',
    unit: 's',
    description: 'Time until the first hold ends by itself; +Inf if no hold has a known end',
    labels: {},
  },
  'holdfast.receipts': {
    kind: 'gauge',
    unit: '{receipt}',
    description:
      'Receipts that are not registered, each figure counted up to 1,000; late ones are pending, too',
    labels: { state: ['pending', 'failed', 'late', 'missing'] },
  },
} as const satisfies Readonly<Record<string, Instrument>>;

export type InstrumentName = keyof typeof instruments;

function isInstrument(name: string): name is InstrumentName {
  return Object.hasOwn(instruments, name);
}

export const instrumentNames: readonly InstrumentName[] = Object.keys(instruments).filter(isInstrument);

type OfKind<Kind extends Instrument['kind']> = {
  [Name in InstrumentName]: (typeof instruments)[Name]['kind'] extends Kind ? Name : never;
}[InstrumentName];

export type CounterName = OfKind<'counter'>;
export type HistogramName = OfKind<'histogram'>;
export type GaugeName = OfKind<'gauge'>;

type ValueOf<Values> = Values extends readonly (infer Value extends string)[] ? Value : string;

/** The labels of an instrument, each with its values. */
export type LabelsOf<Name extends InstrumentName> = Readonly<Record<string, string>> & {
  readonly [Label in keyof (typeof instruments)[Name]['labels']]: ValueOf<
    (typeof instruments)[Name]['labels'][Label]
  >;
};
