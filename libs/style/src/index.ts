import { frame } from './frame.js';
import { ground } from './ground.js';
import { parts } from './parts.js';
import { records } from './records.js';
import { tokens } from './tokens.js';
import { widths } from './widths.js';

/**
 * What every page begins with. A TypeScript string rather than a .css file, so that the compiler alone builds the packages, each with its own
 * copy.
 */
export const groundStyle = `${tokens}${ground}`;

/** What a page for whoever operates something has besides. */
export const operatorStyle = `${frame}${parts}${records}${widths}`;

export { shapePaths, type ShapeName, type Tone } from './shapes.js';
