import { groundStyle, operatorStyle } from '../../../style/src/index.js';
import { overview } from './overview.js';
import { records } from './records.js';
import { search } from './search.js';

/** The one stylesheet of the board: no images, no fonts, no motion. It needs no style attribute. */
export const stylesheet = `${groundStyle}${operatorStyle}${search}${overview}${records}`;
