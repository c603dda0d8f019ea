import { create } from 'qrcode';
import { Html } from './html.js';

/** The light frame that a scanner needs. */
const MARGIN = 4;

/** A QR code to scan from the page. */
export function qrSvg(text: string, testId: string): Html {
  const { size: side, data } = create(text).modules;
  const size = side + 2 * MARGIN;
  const dark = Array.from(data, (isDark, index) => {
    const [x, y] = [(index % side) + MARGIN, Math.floor(index / side) + MARGIN];
    return isDark ? `M${x} ${y}h1v1h-1z` : '';
  }).join('');
  return new Html(
    `<svg class="code" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code" data-testid="${testId}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark}"/></svg>`,
  );
}
