/** A transaction of the payments module, by its purpose. */
const databaseSteps = [
  'handler',
  'notification',
  'intent',
  'attempt',
  'change',
  'claim',
  'delivery claim',
] as const;
export type DatabaseStep = (typeof databaseSteps)[number];

/** A request to the service. */
const serviceSteps = ['create', 'capture', 'cancel', 'refund', 'receipt', 'read', 'list'] as const;
export type ServiceStep = (typeof serviceSteps)[number];

/**
 * A failpoint. `before`: what commits or executes the step has left the shop and not arrived; `after`: the step is done, and the
 * shop does not know yet.
 */
export type Point = `${'before' | 'after'} ${DatabaseStep | ServiceStep}`;

export const points: readonly Point[] = [...databaseSteps, ...serviceSteps].flatMap((step): Point[] => [
  `before ${step}`,
  `after ${step}`,
]);

/** Finds in the bytes of one connection where a step begins and ends. */
export interface StepReader {
  /** The step that these bytes of the shop begin; null for anything else. */
  sent(chunk: Buffer): DatabaseStep | ServiceStep | null;
  /** The step that these bytes answer; null for anything else. */
  answered(chunk: Buffer): DatabaseStep | ServiceStep | null;
}
