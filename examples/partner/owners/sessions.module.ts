import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { SessionCookie } from './session-cookie.js';
import { Session } from './session.entity.js';
import { Sessions } from './sessions.js';

/** A module of its own, since the payments module needs the session of a request too. */
@Module({})
export class SessionsModule {
  static register(publicUrl: string): DynamicModule {
    return {
      module: SessionsModule,
      imports: [TypeOrmModule.forFeature([Session])],
      providers: [Sessions, { provide: SessionCookie, useValue: new SessionCookie(publicUrl) }],
      exports: [Sessions],
    };
  }
}
