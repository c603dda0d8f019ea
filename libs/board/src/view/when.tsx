import type { JSX } from 'preact';
import { usePage } from './page-context.js';
import { clockText, dayText, relativeText } from './time-text.js';

interface WhenProps {
  readonly at: Date;
  /** `clock`: the time of day alone; `moment`: with its day; `both`: also how long ago that is. Default: both. */
  readonly only?: 'clock' | 'moment' | 'both';
}

/** A time as people read it, and as programs do. */
export function When({ at, only = 'both' }: WhenProps): JSX.Element {
  const { now, timeZone } = usePage();
  const iso = at.toISOString();
  const clock = clockText(at, timeZone);
  if (only === 'clock') return <time datetime={iso}>{clock}</time>;
  const moment = (
    <time datetime={iso}>
      {dayText(at, now, timeZone)} {clock}
    </time>
  );
  if (only === 'moment') return moment;
  return (
    <>
      {moment} <small>{relativeText(at, now)}</small>
    </>
  );
}
