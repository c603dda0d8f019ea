/** The deadline that a statement carries. */
const TERMS =
  /terms AS MATERIALIZED \(SELECT set_config\('\w+', CASE current_setting\('\w+'\) .*? END, true\), CASE current_setting\('\w+'\) .*? END\)/g;
const LIST_OF_COLUMNS = String.raw`[\w.]+ AS \w+`;

/**
 * A statement's text without what differs from one call to the next (intervals, ids, the numbers of parameters, the length of
 * lists) and without what its cost does not depend on (which columns are read).
 */
export function normalised(sql: string): string {
  let text = sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll('"', '')
    .replaceAll(/\bpublic\.(?=payments_)/g, '')
    .replaceAll(/\$\d+/g, '$n')
    .replaceAll(/'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'/g, "'id'")
    .replaceAll(/\s+/g, ' ')
    .trim();
  text = text.replaceAll(TERMS, 'terms');
  // A clock without an offset adds nothing.
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\(([\w.$:]+|\w*\([^()]*\)) [+-] interval '-?\d+ milliseconds'\)/g, '$1');
  }
  return text
    .replaceAll(/(\$n|DEFAULT)(, ?(\$n|DEFAULT))+/g, '$n')
    .replaceAll(/\(\$n\)(, ?\(\$n\))+/g, '($n)')
    .replaceAll(new RegExp(`SELECT (DISTINCT )?${LIST_OF_COLUMNS}(, ${LIST_OF_COLUMNS})*`, 'g'), 'SELECT $1…')
    .replaceAll(/INSERT INTO (\w+)\([\w, ]+\)/g, 'INSERT INTO $1(…)');
}
