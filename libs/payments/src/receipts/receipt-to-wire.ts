import { isRecord } from '../common/is-record.js';
import { parseQuantity, quantityOf } from './quantity.js';
import type { ReceiptInput, ReceiptItem } from './receipt.input.js';

/** Names that are not made by putting `_` before each capital letter: the digits of a standard stand by themselves. */
const IRREGULAR: Readonly<Record<string, string>> = {
  ean8: 'ean_8',
  ean13: 'ean_13',
  itf14: 'itf_14',
  gs10: 'gs_10',
  gs1m: 'gs_1m',
  egais20: 'egais_20',
  egais30: 'egais_30',
};

/** Items as they stand there. */
export function itemsToWire(items: readonly Pick<ReceiptItem, 'quantity'>[]): Record<string, unknown>[] {
  return items.map((item) =>
    namesToWire({ ...item, quantity: quantityOf(parseQuantity(item.quantity) ?? 0) }),
  );
}

/** A receipt as it stands in the body of a create, capture or refund. A quantity is a JSON number there, whatever it was given as. */
export function receiptToWire(receipt: ReceiptInput): object {
  const items = receipt.items.map(({ id: _own, ...item }) => ({
    ...item,
    quantity: quantityOf(parseQuantity(item.quantity) ?? 0),
  }));
  return namesToWire({ ...receipt, items });
}

/** Whom a receipt goes to, as it stands there. */
export function customerToWire(customer: ReceiptInput['customer']): object {
  return namesToWire(customer);
}

function namesToWire(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [wireName(name), toWire(value)]));
}

function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  return isRecord(value) ? namesToWire(value) : value;
}

/** The name that inputs have for a field of the service's. */
export function inputName(name: string): string {
  const irregular = Object.keys(IRREGULAR).find((own) => IRREGULAR[own] === name);
  return irregular ?? name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function wireName(name: string): string {
  return IRREGULAR[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
