import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ShopOrder } from '../orders/shop-order.entity.js';
import { BooksService } from './books.service.js';
import { DeskService } from './desk.service.js';
import { StaffNoteHandlers } from './staff-note.handlers.js';
import { StaffNote } from './staff-note.entity.js';
import { StaffController } from './staff.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([ShopOrder, StaffNote])],
  controllers: [StaffController],
  providers: [DeskService, BooksService, StaffNoteHandlers],
})
export class StaffModule {}
