import { methodFields } from '../api/method-rules.js';
import { isRecord } from '../common/is-record.js';

/** A request as it is recorded. What it says of a person is stored apart, so that it can be erased. */
export interface RecordedBody {
  readonly body: string;
  /** JSON of the missing fields, whole ones or parts of an object; null: there are none, or they were erased. */
  readonly personal: string | null;
}

/** Who gets the receipt that goes with money, and what a method is told of its buyer. */
const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  receipt: ['customer'],
  payment_method_data: Object.entries(methodFields).flatMap(([name, { isPersonal }]) =>
    isPersonal ? [name] : [],
  ),
};
/** Who gets a receipt that is sent by itself, and fields of `extra` that are about a person as a whole. */
const WHOLE_FIELDS = ['customer', 'client_ip', 'receiver', 'statements'] as const;

/** Splits a request for recording. */
export function recordedBody(request: object): RecordedBody {
  const rest: Record<string, unknown> = { ...request };
  const personal: Record<string, unknown> = {};
  for (const [parent, fields] of Object.entries(PERSONAL_FIELDS)) {
    const said = isRecord(rest[parent]) ? Object.entries(rest[parent]) : [];
    const taken = said.filter(([name]) => fields.includes(name));
    if (taken.length === 0) continue;
    rest[parent] = Object.fromEntries(said.filter(([name]) => !fields.includes(name)));
    personal[parent] = Object.fromEntries(taken);
  }
  for (const field of WHOLE_FIELDS) {
    if (!Object.hasOwn(rest, field)) continue;
    personal[field] = rest[field];
    delete rest[field];
  }
  const isPersonal = Object.keys(personal).length > 0;
  return { body: JSON.stringify(rest), personal: isPersonal ? JSON.stringify(personal) : null };
}

/** The bytes to send: the same ones every time, since the parts were recorded as text. */
export function bodyToSend({ body, personal }: RecordedBody): string {
  if (personal === null) return body;
  const request: Record<string, unknown> = JSON.parse(body);
  for (const [name, taken] of Object.entries<unknown>(JSON.parse(personal))) {
    const left = request[name];
    request[name] = isRecord(left) && isRecord(taken) ? { ...left, ...taken } : taken;
  }
  return JSON.stringify(request);
}
