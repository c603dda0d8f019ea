import { BadRequestException } from '@nestjs/common';

/**
 * What a page has to say of the request that led to it, by the name that its address carries.
 * @throws BadRequestException for a name that nothing here leads to
 */
export function noticeText(name: string | undefined, texts: ReadonlyMap<string, string>): string | undefined {
  if (name === undefined) return undefined;
  const text = texts.get(name);
  if (text === undefined) throw new BadRequestException();
  return text;
}
