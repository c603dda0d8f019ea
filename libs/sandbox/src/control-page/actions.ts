import { ControlError } from '../common/control-error.js';
import { endIn, oneOf } from '../common/input.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../common/time.js';
import type { Sandbox } from '../control/running-sandbox.js';
import { parseFaultOrder } from '../faults/fault-order.js';
import type { Form } from '../pages/form-fields.js';
import { ways } from '../payments/ways.js';
import { storeStatuses } from '../stores/store.js';
import { eventNames } from '../wire/events.js';

interface Action {
  /** The message when it is done. */
  readonly done: string;
  /** Where the page opens afterwards: at a section, or at the payment that `id` names. */
  readonly opensAt:
    'payment' | 'clock' | 'notifications' | 'faults' | 'refunds' | 'receipts' | 'objects' | 'partnership';
  readonly run: (sandbox: Sandbox, form: Form) => unknown;
}

const unitsMs = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS } as const;
export const timeUnits = ['minutes', 'hours', 'days'] as const;

export const fateNames = ['registered', 'refused', 'lost'] as const;
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
  'order-fault': {
    done: 'The fault was ordered.',
    opensAt: 'faults',
    run: ({ faults }, { on, fault, times, ms, retry_after, copies }) =>
      faults.order(
        parseFaultOrder({
          on,
          fault,
          ...(times !== undefined && { times: numberOf(times, 'times') }),
          ...(ms !== undefined && { ms: numberOf(ms, 'ms', /^-?\d{1,15}$/) }),
          ...(retry_after !== undefined && { retry_after: numberOf(retry_after, 'retry_after') }),
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
    opensAt: 'partnership',
    run: ({ stores }, { id = '', status }) =>
      stores.change(id, { status: oneOf(status, 'status', storeStatuses) }),
  },
  'revoke-token': {
    done: 'The token was revoked.',
    opensAt: 'partnership',
    run: ({ tokens }, { id = '' }) => tokens.revoke(id),
  },
  'expire-token': {
    done: 'The token has expired.',
    opensAt: 'partnership',
    run: ({ tokens }, { id = '' }) => tokens.expire(id),
  },
} as const satisfies Record<string, Action>;

export type PageAction = keyof typeof actions;

/** Executes a form and returns the fragment of the page to show next; throws a ControlError if it cannot. */
export async function runAction(name: PageAction, sandbox: Sandbox, form: Form): Promise<string> {
  const { run, opensAt }: Action = actions[name];
  await run(sandbox, form);
  return opensAt === 'payment' ? `payment-${form['id'] ?? ''}` : opensAt;
}

export function isPageAction(name: unknown): name is PageAction {
  return typeof name === 'string' && Object.hasOwn(actions, name);
}

export function doneText(name: PageAction): string {
  return actions[name].done;
}

function numberOf(text: string | undefined, name: string, form = /^\d{1,15}$/): number {
  if (text !== undefined && form.test(text)) return Number(text);
  throw new ControlError(400, `${name} must be a whole number`);
}

/** What a person types: `100`, `100,5`, `1 234,50 ₽`. */
const TYPED = /^(\d{1,3}(?:\s\d{3})+|\d+)(?:[.,](\d{1,2}))?\s?₽?$/;

/** The same as the API writes it, `"1234.50"`; any other text stays as it is, for the API to refuse. */
function typedRoubles(text: string): string {
  const [, whole, fraction = ''] = TYPED.exec(text.trim()) ?? [];
  return whole === undefined ? text : `${whole.replaceAll(/\s/g, '')}.${fraction.padEnd(2, '0')}`;
}
