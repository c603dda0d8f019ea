import type { NestExpressApplication } from '@nestjs/platform-express';

/** Every route of an application as `GET /orders/:reference`, whoever registered it. */
export function routesOf(app: NestExpressApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance();
  return router.stack.flatMap(({ route }) =>
    route === undefined ? [] : route.stack.map(({ method }) => `${method.toUpperCase()} ${route.path}`),
  );
}
