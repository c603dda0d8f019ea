import { isRecord } from '../common/is-record.js';

/** A request as it is recorded. What it says of a person is stored apart, so that it can be erased. */
export interface RecordedBody {
  readonly body: string;
  /** JSON of the missing fields, in the objects that they belong to; null: there are none, or they were erased. */
  readonly personal: string | null;
}

/** Who gets the receipt, and whose phone is to confirm. */
const PERSONAL_FIELDS = [
  ['receipt', 'customer'],
  ['payment_method_data', 'phone'],
] as const;

/** Splits a request for recording. */
export function recordedBody(request: object): RecordedBody {
  const rest: Record<string, unknown> = { ...request };
  const personal: Record<string, object> = {};
  for (const [parent, field] of PERSONAL_FIELDS) {
    const object = rest[parent];
    if (!isRecord(object) || !Object.hasOwn(object, field)) continue;
    const { [field]: taken, ...others } = object;
    rest[parent] = others;
    personal[parent] = { [field]: taken };
  }
  const isPersonal = Object.keys(personal).length > 0;
  return { body: JSON.stringify(rest), personal: isPersonal ? JSON.stringify(personal) : null };
}

/** The bytes to send: the same ones every time, since the parts were recorded as text. */
export function bodyToSend({ body, personal }: RecordedBody): string {
  if (personal === null) return body;
  const request: Record<string, unknown> = JSON.parse(body);
  for (const [parent, fields] of Object.entries<object>(JSON.parse(personal))) {
    const object = request[parent];
    request[parent] = { ...(isRecord(object) && object), ...fields };
  }
  return JSON.stringify(request);
}
