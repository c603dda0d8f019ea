/** What made us look, as the timeline names it. */
export type Cause = 'create' | 'capture' | 'cancel' | 'replace' | 'notification' | 'sweep' | 'refresh';
