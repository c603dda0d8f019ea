import type { Fields } from '../common/fields.js';
import { noConfirmation, parseConfirmation, type ConfirmationRequest } from '../methods/confirmation.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import type { Deal } from '../objects/deals.js';
import type { SavedMethod } from '../objects/saved-method.js';
import { parseAirline } from '../payments/airline.js';
import { parseEchoed } from '../payments/echoed.js';
import type { CreateRequest } from '../payments/payment.js';
import { parseDealId, parseSettlements, parseTransfers } from '../payments/shares.js';
import type { ReceiptDesk } from '../receipts/receipt-desk.js';
import type { Store } from '../stores/store.js';
import { amountMinor, fields, metadata, optionalBoolean, optionalText, text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';
import { mustSuit, notRecurring, possibleConfirmations, savingOf } from './method-checks.js';
import { parseMethodData } from './method-data.js';
import { parsePaymentToken, type TypedCard } from './payment-token.js';
import { ofAnEarlierRun } from './reading.js';

const LONGEST = { description: 128, savedMethodId: 64, gatewayId: 64 };

/** The request, and how it is settled if the buyer has nothing to confirm. */
interface ParsedCreate {
  readonly request: CreateRequest;
  /** null: the buyer confirms. `decline`: the reason it fails with; null if it succeeds. */
  readonly atOnce: { readonly method: PaymentMethod; readonly decline: string | null } | null;
}

interface Known {
  readonly store: Store;
  readonly savedMethod: (id: string) => SavedMethod | undefined;
  readonly deal: (id: string) => Deal | undefined;
  /** Whether a one-time token has paid before. */
  readonly wasTokenUsed: (tokenDigest: string) => boolean;
  readonly now: Date;
  readonly receipts: ReceiptDesk;
}

/** Reads the body of a creation request or throws its error. */
export function parseCreateRequest(body: unknown, known: Known): ParsedCreate {
  const given = fields(body);
  const { store, now } = known;
  const requestedMinor = amountMinor(given['amount']);
  const typed = parsePaymentToken(given, store, known.wasTokenUsed);
  const saved = parseSavedMethod(given, known);
  const data = parseMethodData(given['payment_method_data'], { store, now, amountMinor: requestedMinor });
  const method = typed?.method ?? saved?.method ?? data?.method ?? null;
  const capture = optionalBoolean(given['capture'], 'capture') ?? false;
  const airline = parseAirline(given['airline']);
  if (airline && method && method.type !== 'bank_card') {
    throw invalidRequest('Goes with a bank card payment only', 'airline');
  }
  if (method) mustSuit(method, { given, amountMinor: requestedMinor, capture }, store);
  const settled = atOnceOf({ typed, saved, data });
  const confirmation = confirmationOf(given['confirmation'], {
    method,
    settled,
    mayConfirm: saved !== null || typed !== null,
    store,
  });
  // What a form of the service took is paid at once, unless the merchant requires 3-D Secure.
  const atOnce = typed && confirmation.enforce3ds ? null : settled;
  return {
    request: {
      amountMinor: requestedMinor,
      capture,
      ...confirmation,
      description: optionalText(given['description'], LONGEST.description, 'description'),
      metadata: metadata(given['metadata']),
      method,
      saving: savingOf(given['save_payment_method'], method, store),
      savedMethodId: saved?.id ?? null,
      tokenDigest: typed?.tokenDigest ?? null,
      echoed: parseEchoed(given),
      ...sharesOf(given, requestedMinor, known),
      invoiceId: null,
      airline,
      receipt: known.receipts.ofCreation(store, {
        receipt: given['receipt'],
        amountMinor: requestedMinor,
        type: method?.type ?? null,
      }),
    },
    atOnce,
  };
}

/** To whom it goes: of the public service alone. */
function sharesOf(
  { recipient: to, transfers, deal }: Fields,
  requestedMinor: number,
  { store, deal: dealWith }: Known,
): Pick<CreateRequest, 'gatewayId' | 'transfers' | 'deal'> {
  if (!store.names.isPublic) return { gatewayId: null, transfers: [], deal: null };
  const gateway = to === undefined ? undefined : fields(to, 'recipient')['gateway_id'];
  const id = parseDealId(deal);
  // Assumed: the errors.
  if (id !== null && dealWith(id)?.status !== 'opened')
    throw invalidRequest('There is no such deal that is open', 'deal.id');
  return {
    gatewayId: to === undefined ? null : text(gateway, LONGEST.gatewayId, 'recipient.gateway_id'),
    transfers: parseTransfers(transfers, requestedMinor),
    deal: id === null ? null : { id, settlements: parseSettlements(deal, 'settlements') },
  };
}

function parseSavedMethod(given: Fields, { store, savedMethod }: Known): SavedMethod | null {
  const parameter = 'payment_method_id';
  if (given[parameter] === undefined) return null;
  if (!store.recurring) throw notRecurring();
  const saved = savedMethod(text(given[parameter], LONGEST.savedMethodId, parameter));
  if (!saved || saved.status === 'pending')
    throw invalidRequest(`There is no such saved payment method. ${ofAnEarlierRun}`, parameter);
  if (given['payment_method_data'] !== undefined) {
    throw invalidRequest('Goes without payment_method_data', parameter);
  }
  return saved;
}

interface Sources {
  readonly typed: TypedCard | null;
  readonly saved: SavedMethod | null;
  readonly data: ReturnType<typeof parseMethodData>;
}

function atOnceOf({ typed, saved, data }: Sources): ParsedCreate['atOnce'] {
  if (typed) return typed;
  if (saved)
    return { method: saved.method, decline: saved.status === 'active' ? null : 'permission_revoked' };
  return data?.cryptogram ? { method: data.method, decline: data.cryptogram.decline } : null;
}

interface Confirmed {
  readonly method: PaymentMethod | null;
  /** What needs no buyer; null: the buyer confirms. */
  readonly settled: ParsedCreate['atOnce'];
  /** Though nothing is left to confirm, the request may say how. */
  readonly mayConfirm: boolean;
  readonly store: Store;
}

function confirmationOf(
  confirmation: unknown,
  { method, settled, mayConfirm, store }: Confirmed,
): ConfirmationRequest {
  if (confirmation === undefined && settled) return noConfirmation;
  if (settled && !mayConfirm) throw invalidRequest('Goes without confirmation', 'confirmation');
  const asked = parseConfirmation(confirmation, possibleConfirmations(method, store));
  if (asked.confirmation === 'external' && method && method.details['phone'] === undefined)
    throw invalidRequest('Goes with a phone', 'payment_method_data.phone');
  return asked;
}
