type Close = () => Promise<void>;

declare global {
  /** Of this test file; environment.js sets it. */
  var stillRunning: Set<Close>;
}

/**
 * Closes what a test file has started: once, when it is called, or else when the file ends. A set-up that fails half-way does not
 * come to its own clean-up, and an application that nobody closes would log an error each tick until the whole run is over.
 */
export function closing(close: Close): Close {
  let closed: Promise<void> | undefined;
  const once: Close = () => {
    stillRunning.delete(once);
    return (closed ??= close());
  };
  stillRunning.add(once);
  return once;
}
