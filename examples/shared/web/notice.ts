import { BadRequestException } from '@nestjs/common';

/**
 * A page's notice about the request that led to it, by the name in its address.
 * @throws BadRequestException for an unknown name
 */
export function noticeText(name: string | undefined, texts: ReadonlyMap<string, string>): string | undefined {
  if (name === undefined) return undefined;
  const text = texts.get(name);
  if (text === undefined) throw new BadRequestException();
  return text;
}
