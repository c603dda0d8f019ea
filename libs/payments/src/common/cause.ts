/** The cause of a look, or of what else is recorded, as the timeline names it. */
export type Cause =
  | 'create'
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'total'
  | 'receipt'
  | 'replace'
  | 'notification'
  | 'sweep'
  | 'refresh'
  | 'audit'
  | 'recovery'
  | 'operator'
  | 'connect'
  | 'disconnect'
  | 'handler';
