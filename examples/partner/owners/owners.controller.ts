import { PartnerService } from '@holdfast/payments/partner';
import {
  Body,
  Controller,
  Get,
  Header,
  HttpException,
  HttpStatus,
  Inject,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import { Page } from '../../shared/pages/page.decorator.js';
import { waitingScript } from '../../shared/pages/waiting.js';
import { PlainInputGuard } from '../../shared/web/plain-input.js';
import { SignInAttempts } from '../../shared/web/sign-in-attempts.js';
import { OWNER_SIGN_IN } from '../config/platform-options.js';
import { homePage } from '../pages/home-page.js';
import { styles } from '../pages/styles.css.js';
import type { OwnerSignIn } from './owner-sign-in.js';
import { Sessions } from './sessions.js';

@Controller()
@UseGuards(PlainInputGuard)
export class OwnersController {
  constructor(
    private readonly sessions: Sessions,
    private readonly partner: PartnerService,
    private readonly attempts: SignInAttempts,
    @Inject(OWNER_SIGN_IN) private readonly ownerSignIn: OwnerSignIn,
  ) {}

  @Get()
  @Page()
  async showHome(@Req() request: object, @Query('notice') notice?: string): Promise<string> {
    const [stores, owner] = await Promise.all([this.partner.stores(), this.sessions.ownerOf(request)]);
    return homePage(stores, { owner, signIn: this.ownerSignIn.form, notice });
  }

  @Post('sign-in')
  @Redirect('', HttpStatus.SEE_OTHER)
  async signIn(
    @Req() request: Request,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ url: string }> {
    const { ip = '' } = request;
    const waitMs = this.attempts.begin(ip);
    if (waitMs > 0) {
      response.setHeader('Retry-After', Math.ceil(waitMs / 1_000));
      throw new HttpException('Too many tries', HttpStatus.TOO_MANY_REQUESTS);
    }
    const owner = await this.ownerSignIn.check(body);
    if (owner === null) return { url: '/?notice=not_signed_in' };
    this.attempts.succeeded(ip);
    await this.sessions.signIn(request, response, owner);
    return { url: '/stores' };
  }

  @Post('sign-out')
  @Redirect('/', HttpStatus.SEE_OTHER)
  async signOut(@Req() request: object, @Res({ passthrough: true }) response: Response): Promise<void> {
    await this.sessions.signOut(request, response);
  }

  @Get('styles.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  styles(): string {
    return styles;
  }

  @Get('waiting.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  waitingScript(): string {
    return waitingScript;
  }
}
