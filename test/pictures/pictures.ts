/** The pictures of the documents, by their names in docs/images. */
export const pictures = [
  'board-overview.png',
  'board-overview-dark.png',
  'board-payment.png',
  'board-refund.png',
  'order.png',
  'sandbox.png',
] as const;

export type Picture = (typeof pictures)[number];

/**
 * A program for the page: in place of what each run makes anew (ids, keys, numbers of orders, authorizations, ports, seconds, how far its clock is ahead) it shows what is always the same. So a picture
 * changes only where its page does.
 */
export const alwaysTheSame = `(() => {
  const known = new Map();
  const same = (found) => {
    if (!known.has(found)) known.set(found, String(known.size + 1).padStart(2, '0'));
    return known.get(found);
  };
  const replace = (text) => text
    .replace(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/g, (id) => '01a2b3c4-5d6e-7f80-9a1b-2c3d4e5f60' + same(id.slice(-8)))
    .replace(/…([0-9a-f]{8})$/, (_, id) => '…4e5f60' + same(id))
    .replace(/(Order )([0-9A-Z]{15,17})\\b/, (_, word) => word + 'SM773B8T49HA3W7U')
    .replace(/127\\.0\\.0\\.1:\\d+/g, '127.0.0.1:4010')
    .replace(/RRN \\d+, code \\d+/, 'RRN 071548470251, code 576842')
    .replace(/\\d+ days( \\d+ h)? ahead/, '8 days ahead')
    .replace(/\\b(\\d\\d:\\d\\d):\\d\\d\\b/g, '$1:00');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = replace(texts.currentNode.data);
  for (const key of document.querySelectorAll('.id.cut')) key.textContent = 'mN4pQ7xW';
  // Painted as a whole: where a part is painted again, its corners may differ by a shade.
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  document.body.hidden = true;
  return painted().then(() => { document.body.hidden = false; return painted(); });
})()`;
