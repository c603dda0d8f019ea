import type { TimelineEntry } from '@holdfast/payments';
import type { ShapeName, Tone } from './shape.js';
import { paymentWords, refundWords, type Told } from './words.js';

/** What kind of line it is: the timeline can be narrowed to one. */
export type TimelineKind = 'money' | 'people' | 'technical';

export interface TimelineLine {
  readonly kind: TimelineKind;
  readonly shape: ShapeName;
  readonly tone: Tone | null;
  /** What happened. */
  readonly what: string;
  /** What caused it, or what it says. */
  readonly detail: string;
}

/** How a line of the timeline is shown. */
export function lineOf({ name, to, cause, evidence }: TimelineEntry): TimelineLine {
  const by = text(evidence['by']);
  const note = text(evidence['note']);
  // What a person ended, such as a refund with another sum, is about money first.
  if (by !== null && to === null) {
    const did = name === 'payment.noted' ? 'noted' : name.replace(/^\w+\./, '').replaceAll('_', ' ');
    return {
      kind: 'people',
      shape: 'person',
      tone: null,
      what: `${by}: ${did}`,
      detail: note ?? '',
    };
  }
  if (name.startsWith('notification ')) {
    const from = text(evidence['senderAddress']);
    const count = Number(evidence['count']);
    const times = count > 1 ? `, ${count} times` : '';
    return {
      kind: 'technical',
      shape: 'mail',
      tone: null,
      what: `notified of ${name.slice('notification '.length)}`,
      detail: `${from === null ? '' : `from ${from}`}${times}`,
    };
  }
  if (name === 'payment.anomaly' || name === 'order.overpaid')
    return {
      kind: 'money',
      shape: 'stop',
      tone: 'bad',
      what: 'needs a person',
      detail: text(evidence['reason']) ?? cause,
    };
  const told = to === 'submitting' ? null : toldOf(name, to);
  const kind = name.startsWith('effect.') ? 'technical' : 'money';
  return {
    kind,
    shape: told?.shape ?? 'open',
    tone: told?.tone ?? null,
    what: whatOf(name, told),
    detail: by === null ? `by ${cause}` : `by ${by}${note === null ? '' : `: ${note}`}`,
  };
}

function toldOf(name: string, to: string | null): Told | null {
  if (to === null) return null;
  const words: Readonly<Record<string, Told>> = name.startsWith('refund.') ? refundWords : paymentWords;
  return words[to] ?? null;
}

function whatOf(name: string, told: Told | null): string {
  const [subject = '', happened = ''] = name.split('.');
  // Its outcome is unknown until the next line, as that of each request is.
  if (happened === 'submitting') return subject === 'payment' ? 'recorded' : `${subject} recorded`;
  const word = told?.word ?? happened.replaceAll('_', ' ');
  return subject === 'payment' ? word : `${subject} ${word}`;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
