import { IN_FLIGHT_MS } from '../api/limits.js';
import { Sightings } from './sightings.js';

const LONG_MS = IN_FLIGHT_MS + 1;
const running = { id: 'one', attempts: 1, leaseUntil: new Date(1) };
const ended = { ...running, leaseUntil: null };

describe('an attempt that a process has before its eyes', () => {
  let waitedMs = 0;
  let seen: Sightings;
  const process = () => new Sightings({ offsetMs: () => 0, elapsedMs: () => waitedMs });
  beforeEach(() => {
    waitedMs = 0;
    seen = process();
  });

  it('is over once that process has waited itself', () => {
    expect(seen.hasWaited(ended)).toBe(false);
    waitedMs += IN_FLIGHT_MS;
    expect(seen.hasWaited(ended)).toBe(false);
    waitedMs += 1;
    expect(seen.hasWaited(ended)).toBe(true);
    // One that has just begun knows nothing.
    expect(process().hasWaited(ended)).toBe(false);
  });

  it('that was followed by another is waited for anew', () => {
    seen.hasWaited(ended);
    waitedMs += LONG_MS;
    expect(seen.hasWaited({ ...ended, attempts: 2 })).toBe(false);
    waitedMs += LONG_MS;
    expect(seen.hasWaited({ ...ended, attempts: 2 })).toBe(true);
  });

  it('whose sender says only now that it is over is waited for anew', () => {
    seen.hasWaited(running);
    waitedMs += LONG_MS;
    expect(seen.hasWaited(ended)).toBe(false);
    waitedMs += LONG_MS;
    expect(seen.hasWaited(ended)).toBe(true);
  });

  it('and that it makes itself is not over before it ends here', () => {
    seen.hasWaited(running);
    seen.began(running);
    waitedMs += LONG_MS;
    expect(seen.hasWaited(running)).toBe(false);
    seen.ended(running, true);
    expect(seen.hasWaited(ended)).toBe(false);
    waitedMs += LONG_MS;
    expect(seen.hasWaited(ended)).toBe(true);
    // Its end could not be written.
    expect(seen.hasWaited(running)).toBe(true);
  });

  it('is of an operation that is known since it was seen first', () => {
    expect(seen.knownForMs(ended)).toBe(0);
    waitedMs += 700;
    expect(seen.knownForMs(ended)).toBe(700);
  });

  it('is sent under a key that is used since it was first seen to have been sent', () => {
    expect(seen.knownForMs(ended)).toBe(0);
    expect(seen.keyUsedForMs({ id: ended.id, firstSentAt: null })).toBe(0);
    waitedMs += 700;
    expect(seen.keyUsedForMs({ id: ended.id, firstSentAt: new Date() })).toBe(0);
    waitedMs += 700;
    expect(seen.keyUsedForMs({ id: ended.id, firstSentAt: new Date() })).toBe(700);
    // Here, from when the process itself sends a request under the key.
    seen.began({ id: 'two', attempts: 1 });
    waitedMs += 700;
    expect(seen.keyUsedForMs({ id: 'two', firstSentAt: new Date() })).toBe(700);
  });
});
