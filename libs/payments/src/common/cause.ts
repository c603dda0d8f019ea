/** The cause of a look, as the timeline names it. */
export type Cause =
  | 'create'
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'receipt'
  | 'replace'
  | 'notification'
  | 'sweep'
  | 'refresh'
  | 'audit'
  | 'recovery'
  | 'operator'
  | 'connect'
  | 'disconnect';
