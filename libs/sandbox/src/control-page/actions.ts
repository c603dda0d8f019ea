import { ControlError } from '../common/control-error.js';
import { endIn, oneOf } from '../common/input.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../common/time.js';
import type { Sandbox } from '../control/running-sandbox.js';
import { parseFaultOrder } from '../faults/fault-order.js';
import type { Form } from '../pages/form-fields.js';
import { ways } from '../payments/ways.js';
import { storeStatuses } from '../stores/store.js';
import { eventNames } from '../wire/events.js';
import type { Place, Tab } from './places.js';

interface Action {
  /** The message when it is done. */
  readonly done: string;
  /** The page that opens afterwards if the form was on none; `payment`: that of the payment which `id` names. */
  readonly opensAt: Tab | 'payment';
  readonly run: (sandbox: Sandbox, form: Form) => unknown;
}

const unitsMs = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS } as const;
export const timeUnits = ['minutes', 'hours', 'days'] as const;

export const fateNames = ['registered', 'refused', 'lost'] as const;
export const refundFates = ['pending', 'canceled'] as const;
const fates = { registered: 'succeeded', refused: 'canceled', lost: 'pending' } as const;

/** What the forms of the control page do: the calls of the control API. */
const actions = {
  pay: {
    done: 'The buyer has paid.',
    opensAt: 'payment',
    run: ({ payments }, { id = '', method, source }) =>
      payments.pay(id, {
        outcome: 'succeed',
        ...(method !== undefined && {
          method: oneOf(method, 'method', ways),
        }),
        ...(source !== undefined && { source: oneOf(source, 'source', ['card_app_pay']) }),
      }),
  },
  decline: {
    done: 'The payment was declined.',
    opensAt: 'payment',
    run: ({ payments }, { id = '', reason }) =>
      payments.pay(id, { outcome: 'decline', ...(reason !== undefined && { reason }) }),
  },
  'run-out': {
    done: 'The clock was moved until its time had run out.',
    opensAt: 'payment',
    run: ({ payments, clock }, { id = '' }) => {
      const endsAt = payments.endsAt(id);
      if (!endsAt) throw new ControlError(409, `Nothing of payment ${id} can run out`);
      return clock.advance(Math.max(endsAt.getTime() - clock.now().getTime(), 0));
    },
  },
  refund: {
    done: 'The refund was made.',
    opensAt: 'payment',
    run: ({ refunds }, { id = '', amount }) => refunds.make(id, amount && typedRoubles(amount)),
  },
  'next-refund': {
    done: 'The fate of the next refund was ordered.',
    opensAt: 'refunds',
    run: ({ refunds }, { fate }) => refunds.next({ status: oneOf(fate, 'fate', refundFates) }),
  },
  'finish-refund': {
    done: 'The refund has ended.',
    opensAt: 'refunds',
    run: ({ refunds }, { id = '', outcome }) => refunds.finish(id, endIn(outcome)),
  },
  'next-receipt': {
    done: 'The fate of the next receipt was ordered.',
    opensAt: 'receipts',
    run: ({ receipts }, { fate }) => receipts.next({ status: fates[oneOf(fate, 'fate', fateNames)] }),
  },
  'finish-receipt': {
    done: 'The register has answered.',
    opensAt: 'receipts',
    run: ({ receipts }, { id = '', outcome }) => receipts.finish(id, endIn(outcome)),
  },
  'pay-invoice': {
    done: 'The buyer has paid the invoice.',
    opensAt: 'invoices',
    run: ({ invoices }, { id = '' }) => invoices.pay(id, { outcome: 'succeed' }),
  },
  'cancel-invoice': {
    done: 'The invoice was canceled.',
    opensAt: 'invoices',
    run: ({ invoices }, { id = '' }) => invoices.cancel(id),
  },
  redeliver: {
    done: 'The notification was sent again.',
    opensAt: 'notifications',
    run: ({ notifications }, { id = '' }) => notifications.redeliver(id),
  },
  'notify-url': {
    done: 'The notification address was changed.',
    opensAt: 'notifications',
    run: (sandbox, { url }) => sandbox.setNotifyUrl(url ?? null),
  },
  'notify-events': {
    done: 'The events were ticked.',
    opensAt: 'notifications',
    run: (sandbox, form) => sandbox.setNotifyEvents(eventNames.filter((event) => form[event] !== undefined)),
  },
  advance: {
    done: 'The clock was moved.',
    opensAt: 'clock',
    run: ({ clock }, { count, unit }) =>
      clock.advance(numberOf(count, 'count') * unitsMs[oneOf(unit, 'unit', timeUnits)]),
  },
  skew: {
    done: 'The clock was set wrong.',
    opensAt: 'clock',
    run: ({ clock }, { seconds }) => clock.skew(secondsAsMs(seconds, 'seconds')),
  },
  'order-fault': {
    done: 'The fault was ordered.',
    opensAt: 'faults',
    run: ({ faults }, { on, object, fault, times, seconds, retry_seconds, copies }) =>
      faults.order(
        parseFaultOrder({
          on,
          fault,
          ...(object !== undefined && { object }),
          ...(times !== undefined && { times: numberOf(times, 'times') }),
          ...(seconds !== undefined && { ms: secondsAsMs(seconds, 'seconds') }),
          ...(retry_seconds !== undefined && { retry_after: secondsAsMs(retry_seconds, 'retry_seconds') }),
          ...(copies !== undefined && { copies: numberOf(copies, 'copies') }),
        }),
      ),
  },
  'clear-faults': {
    done: 'All faults were removed.',
    opensAt: 'faults',
    run: ({ faults }) => faults.clear(),
  },
  'create-payout': {
    done: 'The payout was made.',
    opensAt: 'objects',
    run: ({ payouts }, { amount = '' }) => payouts.create({ amount: typedRoubles(amount) }),
  },
  'finish-payout': {
    done: 'The payout has ended.',
    opensAt: 'objects',
    run: ({ payouts }, { id = '', outcome }) => payouts.finish(id, endIn(outcome)),
  },
  'create-deal': { done: 'The deal was opened.', opensAt: 'objects', run: ({ deals }) => deals.create() },
  'close-deal': {
    done: 'The deal was closed.',
    opensAt: 'objects',
    run: ({ deals }, { id = '' }) => deals.close(id),
  },
  'bind-method': {
    done: 'The buyer has bound a payment method.',
    opensAt: 'objects',
    run: ({ paymentMethods }, { type }) =>
      paymentMethods.bind(
        type === undefined ? {} : { type: oneOf(type, 'type', ['bank_card', 'wallet', 'bank_app_pay']) },
      ),
  },
  'confirm-method': {
    done: 'The buyer has answered.',
    opensAt: 'objects',
    run: ({ paymentMethods }, { id = '', outcome }) =>
      paymentMethods.confirm(id, { outcome: oneOf(outcome, 'outcome', ['succeed', 'decline'] as const) }),
  },
  'revoke-method': {
    done: 'The buyer has withdrawn the permission.',
    opensAt: 'objects',
    run: ({ paymentMethods }, { id = '' }) => paymentMethods.revoke(id),
  },
  'set-store-status': {
    done: 'The store was changed.',
    opensAt: 'stores',
    run: ({ stores }, { id = '', status }) =>
      stores.change(id, { status: oneOf(status, 'status', storeStatuses) }),
  },
  'revoke-token': {
    done: 'The token was revoked.',
    opensAt: 'stores',
    run: ({ tokens }, { id = '' }) => tokens.revoke(id),
  },
  'expire-token': {
    done: 'The token has expired.',
    opensAt: 'stores',
    run: ({ tokens }, { id = '' }) => tokens.expire(id),
  },
} as const satisfies Record<string, Action>;

export type PageAction = keyof typeof actions;

/** Executes a form; throws a ControlError if it cannot. */
export async function runAction(name: PageAction, sandbox: Sandbox, form: Form): Promise<void> {
  await actions[name].run(sandbox, form);
}

/** The page to show after a form that was on none. */
export function placeAfter(name: PageAction, { id = '' }: Form): Place {
  const { opensAt }: Action = actions[name];
  return opensAt === 'payment' ? { tab: 'payments', id } : { tab: opensAt };
}

export function isPageAction(name: unknown): name is PageAction {
  return typeof name === 'string' && Object.hasOwn(actions, name);
}

export function doneText(name: PageAction): string {
  return actions[name].done;
}

function numberOf(text: string | undefined, name: string): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw new ControlError(400, `${name} must be a whole number`);
}

/** Reads seconds as a person types them: `10`, `0,5`, `-420`. */
function secondsAsMs(text: string | undefined, name: string): number {
  const typed = text?.trim().replace(',', '.') ?? '';
  if (/^-?\d{1,12}(\.\d{1,3})?$/.test(typed)) return Math.round(Number(typed) * 1000);
  throw new ControlError(400, `${name} must be a number of seconds`);
}

/** What a person types: `100`, `100,5`, `1 234,50 ₽`. */
const TYPED = /^(\d{1,3}(?:\s\d{3})+|\d+)(?:[.,](\d{1,2}))?\s?₽?$/;

/** The same as the API writes it, `"1234.50"`; any other text stays as it is, for the API to refuse. */
function typedRoubles(text: string): string {
  const [, whole, fraction = ''] = TYPED.exec(text.trim()) ?? [];
  return whole === undefined ? text : `${whole.replaceAll(/\s/g, '')}.${fraction.padEnd(2, '0')}`;
}
