import { Html } from './html.js';
import { qrCode } from './qr-code.js';

/** The light frame that a scanner needs. */
const MARGIN = 4;

/** A QR code to scan from the page. */
export function qrSvg(text: string, testId: string): Html {
  const rows = qrCode(text);
  const size = rows.length + 2 * MARGIN;
  const dark = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')))
    .join('');
  return new Html(
    `<svg class="code" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code" data-testid="${testId}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark}"/></svg>`,
  );
}
