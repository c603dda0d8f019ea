/** Longer paths are not examined: they get the door. */
const LONGEST_PATH = 2_048;
/** Characters that routers take as the end of a path's part, some of them only in certain configurations. */
const SEPARATORS = /[/\\;?#]/;

/**
 * Whether a request target may lead to the webhook's path, whatever precedes and follows it. Routers differ in what they
 * normalise: capitals, escapes, doubled slashes, `;`, `..`, a whole address. So this reads each of them as a router might, and
 * what cannot be read counts. Takes time in proportion to the target.
 */
export function mayLeadTo(path: string, target: string): boolean {
  const part = pathOf(target);
  if (part.length > LONGEST_PATH) return true;
  let decoded: string;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    return true;
  }
  const given = joined(decoded);
  return given.includes('/../') || given.includes(joined(path));
}

/** Nothing is cut off a whole address: parsers disagree where its path begins. */
function pathOf(target: string): string {
  if (!target.startsWith('/')) return target;
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** Its parts, each between two slashes; empty ones and dots are dropped. */
function joined(path: string): string {
  const parts = path
    .toLowerCase()
    .split(SEPARATORS)
    .filter((part) => part !== '' && part !== '.');
  return `/${parts.join('/')}/`;
}
