import {
  amountMinor,
  fields,
  metadata,
  optionalBoolean,
  optionalText,
  text,
  type Fields,
} from '../api/body.js';
import { invalidRequest } from '../api/service-error.js';
import type { SavedMethod } from '../objects/saved-method.js';
import type { ReceiptDesk } from '../receipts/receipt-desk.js';
import type { Store } from '../store/store.js';
import { parseAirline } from './airline.js';
import { parseMethodData } from './method-data.js';
import type { CreateRequest, PaymentMethod } from './payment.js';

/** Limits of a bank card payment. */
const CARD_LIMITS_MINOR = { least: 1_00, most: 350_000_00 };

const LONGEST = { description: 128, returnUrl: 2048, merchantCustomerId: 200, savedMethodId: 64 };

/** The request, and how it is settled if the buyer has nothing to confirm. */
interface ParsedCreate {
  readonly request: CreateRequest;
  /** null: the buyer confirms. `decline`: the reason it fails with; null if it succeeds. */
  readonly atOnce: { readonly method: PaymentMethod; readonly decline: string | null } | null;
}

interface Known {
  readonly store: Store;
  readonly savedMethod: (id: string) => SavedMethod | undefined;
  readonly now: Date;
  readonly receipts: ReceiptDesk;
}

/** Reads the body of a creation request or throws its error. */
export function parseCreateRequest(body: unknown, known: Known): ParsedCreate {
  const given = fields(body);
  const requestedMinor = amountMinor(given['amount']);
  const saved = parseSavedMethod(given, known);
  const data = parseMethodData(given['payment_method_data'], known.store, known.now);
  const method = saved?.method ?? data?.method ?? null;
  if (method?.type === 'bank_card' && !withinCardLimits(requestedMinor)) {
    throw invalidRequest('A bank card payment is between 1.00 and 350000.00', 'amount.value');
  }
  const airline = parseAirline(given['airline']);
  if (airline && method && method.type !== 'bank_card') {
    throw invalidRequest('Goes with a bank card payment only', 'airline');
  }
  const atOnce = atOnceOf(saved, data);
  return {
    request: {
      amountMinor: requestedMinor,
      capture: optionalBoolean(given['capture'], 'capture') ?? false,
      ...parseConfirmation(given['confirmation'], data?.cryptogram ? 'none' : saved ? 'optional' : 'needed'),
      description: optionalText(given['description'], LONGEST.description, 'description'),
      metadata: metadata(given['metadata']),
      method,
      savedMethodWanted: optionalBoolean(given['save_payment_method'], 'save_payment_method') ?? false,
      savedMethodId: saved?.id ?? null,
      merchantCustomerId: optionalText(
        given['merchant_customer_id'],
        LONGEST.merchantCustomerId,
        'merchant_customer_id',
      ),
      airline,
      receipt: known.receipts.ofCreation(known.store, given['receipt'], requestedMinor),
    },
    atOnce,
  };
}

export function withinCardLimits(minor: number): boolean {
  return minor >= CARD_LIMITS_MINOR.least && minor <= CARD_LIMITS_MINOR.most;
}

function parseSavedMethod(given: Fields, { savedMethod }: Known): SavedMethod | null {
  const parameter = 'payment_method_id';
  if (given[parameter] === undefined) return null;
  const saved = savedMethod(text(given[parameter], LONGEST.savedMethodId, parameter));
  if (!saved) throw invalidRequest('There is no such saved payment method', parameter);
  if (given['payment_method_data'] !== undefined) {
    throw invalidRequest('Goes without payment_method_data', parameter);
  }
  return saved;
}

function atOnceOf(
  saved: SavedMethod | null,
  data: ReturnType<typeof parseMethodData>,
): ParsedCreate['atOnce'] {
  if (saved)
    return { method: saved.method, decline: saved.status === 'active' ? null : 'permission_revoked' };
  return data?.cryptogram ? { method: data.method, decline: data.cryptogram.decline } : null;
}

function parseConfirmation(
  confirmation: unknown,
  need: 'needed' | 'optional' | 'none',
): Pick<CreateRequest, 'returnUrl' | 'enforce3ds'> {
  if (confirmation === undefined && need !== 'needed') return { returnUrl: null, enforce3ds: false };
  if (need === 'none') throw invalidRequest('Goes without confirmation', 'confirmation');
  const { type, return_url: returnUrl, enforce } = fields(confirmation, 'confirmation');
  if (type !== 'redirect') throw invalidRequest('Needs redirect', 'confirmation.type');
  const enforce3ds = optionalBoolean(enforce, 'confirmation.enforce') ?? false;
  if (typeof returnUrl !== 'string' || !/^https?:\/\//i.test(returnUrl) || !URL.canParse(returnUrl)) {
    throw invalidRequest('Needs an http or https address', 'confirmation.return_url');
  }
  return { returnUrl: text(returnUrl, LONGEST.returnUrl, 'confirmation.return_url'), enforce3ds };
}
