import type { OwnAnswer } from './own-notification.js';

/** What to change if notifications to this path are not answered 200; null: they are, or nobody can tell. */
export function routeAdvice(
  path: string,
  { status, isTaken }: OwnAnswer,
  globalGuards: readonly string[],
): string | null {
  if (status === 'unknown' || (isTaken && status === 200)) return null;
  if (status === 'late')
    return (
      `A notification to ${path} is not answered: a guard, middleware or interceptor of the application neither answers nor passes ` +
      'it on. Have it leave this path alone.'
    );
  const answered = `A notification to ${path} is answered ${status}`;
  if (isTaken)
    return (
      `${answered} once it is stored, by an interceptor or filter of the application, and the service repeats for 24 hours what is not answered ` +
      '200. Have it leave this path alone.'
    );
  if (status === 400 || status === 415)
    return `${answered}, because it does not arrive as JSON. Call protectWebhook(app) right after NestFactory.create(), before any parser of your own.`;
  if (status === 404)
    return (
      `${answered}, before the module sees it: a route or middleware of the application takes this path. Move it, or the webhook ` +
      '(the option webhookPath).'
    );
  const guards = globalGuards.length === 0 ? '' : ` Global guards: ${globalGuards.join(', ')}.`;
  return (
    `${answered} by a guard or middleware of the application, before the module sees it. Mark the route as public for the guard ` +
    `(webhookDecorators: [Public()], beside webhookPath), or have the middleware leave this path alone.${guards}`
  );
}
