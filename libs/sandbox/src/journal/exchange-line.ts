import { styleText } from 'node:util';
import type { DeliveryReport, Exchange, RequestReport } from './exchange.js';

type Colour = 'green' | 'yellow' | 'red' | 'dim';
type Paint = (colour: Colour, text: string) => string;

const plain: Paint = (_colour, text) => text;
const coloured: Paint = (colour, text) => styleText(colour, text, { validateStream: false });

/** Where printed lines go: a terminal or a file. */
export interface LineOutput {
  /** A terminal, which shows colours. */
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Prints one line for each exchange; coloured on a terminal alone, unless NO_COLOR is set. For `watch`. */
export function exchangePrinter(output: LineOutput): (exchange: Exchange) => void {
  const paint = output.isTTY === true && !process.env['NO_COLOR'] ? coloured : plain;
  return (exchange) => void output.write(`${exchangeLine(exchange, paint)}\n`);
}

/** `12:00:00  POST /v3/payments 200  reset_after_commit` or `12:00:01  payment.succeeded → http://… 200`. */
function exchangeLine(exchange: Exchange, paint: Paint): string {
  const parts = exchange.kind === 'request' ? requestParts(exchange, paint) : deliveryParts(exchange, paint);
  const fault = exchange.fault === null ? [] : [paint('yellow', `fault ${exchange.fault}`)];
  return [paint('dim', exchange.at.slice(11, 19)), ...parts, ...fault].join('  ');
}

function requestParts({ method, path, status, end }: RequestReport, paint: Paint): string[] {
  const answered = status === null ? 'connection cut' : end === 'cut' ? `${status}, cut off` : String(status);
  return [`${method} ${printable(path)}`, paint(colourOf(end === 'cut' ? null : status), answered)];
}

function deliveryParts({ event, url, status, error, fault }: DeliveryReport, paint: Paint): string[] {
  const sent = status !== null || error !== null;
  const answered =
    status === null ? (error ?? (fault === 'drop' ? 'not sent' : 'held back')) : String(status);
  return [
    `${event} → ${url === null ? 'nowhere' : printable(url)}`,
    paint(sent ? colourOf(status) : 'yellow', printable(answered)),
  ];
}

function colourOf(status: number | null): Colour {
  if (status === null || status >= 500) return 'red';
  return status >= 400 || status === 202 ? 'yellow' : 'green';
}

/** A path or an error may contain what moves a terminal's cursor. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
}
