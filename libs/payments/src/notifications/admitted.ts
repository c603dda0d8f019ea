import type { IncomingMessage } from 'node:http';

/** Of a request: its body's bytes, once the door has judged their type, their size and their shape. */
export const ADMITTED = Symbol('admitted by the webhook door');

/** On the request itself: a map beside it that holds it weakly takes a twentieth of what a notification costs. */
export type AdmittedRequest = IncomingMessage & { [ADMITTED]?: Buffer };
