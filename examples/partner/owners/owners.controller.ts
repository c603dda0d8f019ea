import { PartnerService } from '@holdfast/payments';
import {
  Body,
  Controller,
  Get,
  Header,
  HttpStatus,
  NotFoundException,
  Post,
  Query,
  Redirect,
  Req,
  Res,
} from '@nestjs/common';
import type { Response } from 'express';

import { formText } from '../../../src/pages/form-text.js';
import { Page } from '../../../src/pages/page.decorator.js';
import { homePage } from '../pages/home-page.js';
import { styles } from '../pages/styles.css.js';
import { findOwner } from './owners.js';
import { Sessions } from './sessions.js';

@Controller()
export class OwnersController {
  constructor(
    private readonly sessions: Sessions,
    private readonly partner: PartnerService,
  ) {}

  @Get()
  @Page()
  async showHome(@Req() request: object, @Query('notice') notice: unknown): Promise<string> {
    return homePage(await this.partner.stores(), {
      owner: this.sessions.ownerOf(request),
      asksToSignIn: notice === 'sign_in',
    });
  }

  @Post('sign-in')
  @Redirect('/stores', HttpStatus.SEE_OTHER)
  signIn(@Body() body: unknown, @Res({ passthrough: true }) response: Response): void {
    const owner = findOwner(formText(body, 'owner'));
    if (owner === null) throw new NotFoundException();
    this.sessions.signIn(response, owner);
  }

  @Post('sign-out')
  @Redirect('/', HttpStatus.SEE_OTHER)
  signOut(@Res({ passthrough: true }) response: Response): void {
    this.sessions.signOut(response);
  }

  @Get('styles.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  styles(): string {
    return styles;
  }
}
