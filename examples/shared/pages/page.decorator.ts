import { Header } from '@nestjs/common';

/** The route answers with a page. */
export function Page(): MethodDecorator {
  return Header('Content-Type', 'text/html; charset=utf-8');
}
