import { ControlError } from '../common/control-error.js';
import type { Fields } from '../common/fields.js';
import { knownFields, oneOf, wholeNumber } from '../common/input.js';
import { DAY_MS } from '../common/time.js';
import { operations, writes, type Operation } from '../wire/operations.js';

type Extra = 'ms' | 'retry_after' | 'copies';

interface FaultRule {
  /** The one extra field of this fault. */
  readonly takes?: Extra;
  /** It may be below zero, and up to ten years. */
  readonly signed?: true;
  readonly needsIt?: true;
  readonly writesOnly?: true;
}

/** Faults of the REST API. Commit is the moment a request takes effect. */
const apiFaults = {
  stall: { takes: 'ms' },
  stall_after_commit: { takes: 'ms' },
  reset_before_commit: {},
  reset_after_commit: {},
  error_500_before_commit: {},
  error_500_after_commit: {},
  too_many_requests: { takes: 'retry_after' },
  forbidden: {},
  accepted: { takes: 'retry_after', writesOnly: true },
  truncated_body: {},
  unknown_fields: {},
  no_date: {},
  wrong_date: { takes: 'ms', needsIt: true, signed: true },
} as const satisfies Record<string, FaultRule>;

/** Faults of a notification's first sending. */
const notificationFaults = {
  drop: {},
  delay: { takes: 'ms', needsIt: true },
  duplicate: { takes: 'copies' },
  reorder: {},
} as const satisfies Record<string, FaultRule>;

export type ApiFault = keyof typeof apiFaults;
export type NotificationFault = keyof typeof notificationFaults;

export interface FaultDetails {
  /** How many requests or notifications are hit. Default: 1. */
  readonly times?: number;
  /**
   * Stalls: real milliseconds, default until the faults are cleared. `delay`: sandbox milliseconds, required. `wrong_date`: how
   * far the header is ahead of the sandbox's clock, or behind it if negative; required.
   */
  readonly ms?: number;
  /** Milliseconds. `too_many_requests`: default none. `accepted`: default 1000. */
  readonly retry_after?: number;
  /** `duplicate`: how many extra copies go out with the notification. Default: 1. */
  readonly copies?: number;
}

export interface ApiFaultOrder extends FaultDetails {
  readonly on: Operation;
  /** Account id: hits only the requests of this store. Default: those of any store. */
  readonly store?: string;
  /** The id in the path: hits only the requests for this object. Default: those for any. */
  readonly object?: string;
  readonly fault: ApiFault;
}

export interface NotificationFaultOrder extends FaultDetails {
  readonly on: 'notification';
  readonly fault: NotificationFault;
}

/** Which fault, where, and how often. */
export type FaultOrder = ApiFaultOrder | NotificationFaultOrder;

/** An order, and how many of its times are left. */
export interface OpenFaultOrder {
  readonly order: FaultOrder;
  readonly left: number;
}

/** Where a fault can be ordered. */
export const faultTargets: readonly FaultOrder['on'][] = [...operations, 'notification'];

export const apiFaultNames: readonly ApiFault[] = Object.keys(apiFaults).filter((name) =>
  isNameIn(apiFaults, name),
);
export const notificationFaultNames: readonly NotificationFault[] = Object.keys(notificationFaults).filter(
  (name) => isNameIn(notificationFaults, name),
);

/** The requests that this fault can hit. */
export function targetsOf(fault: ApiFault): readonly Operation[] {
  const { writesOnly }: FaultRule = apiFaults[fault];
  return writesOnly ? writes : operations;
}

const extras: readonly Extra[] = ['ms', 'retry_after', 'copies'];

/** Longer than any client or test waits. */
const LONGEST_MS = DAY_MS;
const TEN_YEARS_MS = 10 * 366 * DAY_MS;
const MOST_TIMES = 1_000_000;

/** Reads a fault order or throws a ControlError that says what is wrong with it. */
export function parseFaultOrder(input: unknown): FaultOrder {
  const given = knownFields(input, ['on', 'store', 'object', 'fault', 'times', ...extras]);
  const on = oneOf(given['on'], 'on', faultTargets);
  const { store, object } = given;
  if (store !== undefined && typeof store !== 'string')
    throw new ControlError(400, 'store must be an account id');
  if (object !== undefined && typeof object !== 'string')
    throw new ControlError(400, 'object must be the id of an object');
  if (on !== 'notification') {
    return {
      on,
      ...(store !== undefined && { store }),
      ...(object !== undefined && { object }),
      ...parseFault(given, on, apiFaults),
    };
  }
  if (store !== undefined) throw new ControlError(400, 'A fault on notification does not take store');
  if (object !== undefined) throw new ControlError(400, 'A fault on notification does not take object');
  return { on, ...parseFault(given, on, notificationFaults) };
}

function parseFault<Name extends string>(
  given: Fields,
  on: string,
  rules: Readonly<Record<Name, FaultRule>>,
): FaultDetails & { fault: Name } {
  const fault = given['fault'];
  if (!isNameIn(rules, fault)) {
    throw new ControlError(400, `fault on ${on} must be one of ${Object.keys(rules).join(', ')}`);
  }
  const rule: FaultRule = rules[fault];
  if (rule.writesOnly && !writes.some((write) => write === on)) {
    throw new ControlError(400, `${fault} is possible on ${writes.join(', ')} only`);
  }
  const stray = extras.find((extra) => given[extra] !== undefined && extra !== rule.takes);
  if (stray) throw new ControlError(400, `${fault} does not take ${stray}`);
  if (rule.needsIt && rule.takes && given[rule.takes] === undefined) {
    throw new ControlError(400, `${fault} needs ${rule.takes}`);
  }
  return {
    fault,
    ...number(given, 'times', 1, MOST_TIMES),
    ...(rule.signed ? number(given, 'ms', -TEN_YEARS_MS, TEN_YEARS_MS) : number(given, 'ms', 0, LONGEST_MS)),
    ...number(given, 'retry_after', 0, LONGEST_MS),
    ...number(given, 'copies', 1, 100),
  };
}

function isNameIn<Name extends string>(
  rules: Readonly<Record<Name, FaultRule>>,
  name: unknown,
): name is Name {
  return typeof name === 'string' && Object.hasOwn(rules, name);
}

function number(given: Fields, name: string, least: number, most: number): Partial<Record<string, number>> {
  return given[name] === undefined ? {} : { [name]: wholeNumber(given[name], name, least, most) };
}
