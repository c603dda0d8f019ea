import { BadRequestException, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Longer than anything in a form or an address here. */
const LONGEST = 2_000;
/**
 * The only control characters that people type are tabs and line breaks; PostgreSQL stores no NUL, and no half of a character.
 */
const unstorable = /[^\P{Cc}\t\r\n]|\p{Cs}/u;

/** Whether each of these fields, of an address or a form, is one text that a person could have sent. */
export function isPlain(fields: unknown): boolean {
  if (fields === undefined || fields === null) return true;
  if (typeof fields !== 'object' || Array.isArray(fields)) return false;
  return Object.entries(fields).every(([name, value]) => isText(name) && isText(value));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST && !unstorable.test(value);
}

/** For routes that accept only plain fields: everything else is answered 400 before any of it is used. */
@Injectable()
export class PlainInputGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params, query, body } = context.switchToHttp().getRequest<Request>();
    if (![params, query, body].every(isPlain)) throw new BadRequestException();
    return true;
  }
}
