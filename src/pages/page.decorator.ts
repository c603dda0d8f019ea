import { applyDecorators, Header } from '@nestjs/common';

/** The route answers with a page. */
export function Page(): MethodDecorator {
  return applyDecorators(
    Header('Content-Type', 'text/html; charset=utf-8'),
    // Everything a page needs comes from the shop itself, so markup that slipped in could load or run nothing.
    Header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    ),
    Header('Cache-Control', 'no-store'),
  );
}
