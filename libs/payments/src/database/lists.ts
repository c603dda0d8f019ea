/**
 * SQL of the rows of lists that are parameters, side by side: `lists('$1::uuid[]', '$2::int[]')`. As subqueries, so that the
 * planner takes every list for ten: one that it saw to be shorter would have the statement planned again each time.
 */
export function lists(...parameters: readonly string[]): string {
  return `unnest(${parameters.map((parameter) => `(SELECT ${parameter})`).join(', ')})`;
}
