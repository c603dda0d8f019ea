import { Injectable, UnauthorizedException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Response } from 'express';
import { createHash, randomBytes } from 'node:crypto';
import { Raw, Repository } from 'typeorm';
import { findOwner, type Owner } from './owners.js';
import { SessionCookie } from './session-cookie.js';
import { Session } from './session.entity.js';

const LIFETIME_MS = 12 * 60 * 60_000;

/** The signed-in owners, for every process of the platform. */
@Injectable()
export class Sessions {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly cookie: SessionCookie,
  ) {}

  /** The owner whose session the request is in; null: nobody is signed in. */
  async ownerOf(request: object): Promise<Owner | null> {
    const token = this.cookie.tokenOf(request);
    if (token === null) return null;
    const session = await this.sessions.findOneBy({
      tokenHash: hashOf(token),
      endsAt: Raw((column) => `${column} > now()`),
    });
    return session && findOwner(session.ownerId);
  }

  /** @throws UnauthorizedException */
  async mustBeSignedIn(request: object): Promise<Owner> {
    const owner = await this.ownerOf(request);
    if (owner === null) throw new UnauthorizedException();
    return owner;
  }

  /** Starts a session under a new token. The browser's previous session ends, and so do all that have expired. */
  async signIn(request: object, response: Response, { id: ownerId }: Owner): Promise<void> {
    await this.#end(request);
    await this.sessions.delete({ endsAt: Raw((column) => `${column} <= now()`) });
    const token = randomBytes(32).toString('base64url');
    await this.sessions
      .createQueryBuilder()
      .insert()
      .values({
        tokenHash: hashOf(token),
        ownerId,
        endsAt: () => `now() + interval '${LIFETIME_MS} milliseconds'`,
      })
      .execute();
    response.cookie(this.cookie.name, token, { ...this.cookie.attributes, maxAge: LIFETIME_MS });
  }

  async signOut(request: object, response: Response): Promise<void> {
    await this.#end(request);
    response.clearCookie(this.cookie.name, this.cookie.attributes);
  }

  async #end(request: object): Promise<void> {
    const token = this.cookie.tokenOf(request);
    if (token !== null) await this.sessions.delete({ tokenHash: hashOf(token) });
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
