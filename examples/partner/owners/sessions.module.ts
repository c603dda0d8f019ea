import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { SessionCookie } from './session-cookie.js';
import { Session } from './session.entity.js';
import { Sessions } from './sessions.js';

/** Of its own, since the payments module asks as well whose session a request is in. */
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
