/** Modules along each side of a code of version 6, the smallest that holds every address of the sandbox. */
const SIZE = 41;
const BLOCKS = 2;
/** Codewords of each block: data, and error correction of level L. */
const DATA = 68;
const CORRECTION = 18;
/** A text takes two bytes besides its own. */
const LONGEST = BLOCKS * DATA - 2;
/** The centre of the one alignment pattern. */
const ALIGNMENT = 34;
/** Level L, mask 0, with their own error correction. */
const FORMAT = 0b111011111000100;

/** A QR code (ISO/IEC 18004) of a text of at most 134 bytes: its rows of modules, true where it is dark. */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > LONGEST) throw new Error(`A QR code here holds ${LONGEST} bytes, not ${bytes.length}`);
  const { modules, isReserved } = patterns();
  const codewords = interleaved(dataCodewords(bytes));
  let bit = 0;
  for (const [x, y] of zigzag()) {
    if (isReserved(x, y)) continue;
    const isSet = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
    bit += 1;
    set(modules, x, y, isSet !== ((x + y) % 2 === 0));
  }
  return modules;
}

/** Mode and length before the bytes, and what fills the rest. */
function dataCodewords(bytes: Uint8Array): number[] {
  const nibbles = [0b0100, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const codewords = Array.from(
    { length: nibbles.length / 2 },
    (_, index) => ((nibbles[2 * index] ?? 0) << 4) | (nibbles[2 * index + 1] ?? 0),
  );
  const used = codewords.length;
  while (codewords.length < BLOCKS * DATA) codewords.push((codewords.length - used) % 2 === 0 ? 0xec : 0x11);
  return codewords;
}

function interleaved(codewords: readonly number[]): number[] {
  const blocks = Array.from({ length: BLOCKS }, (_, index) =>
    codewords.slice(index * DATA, (index + 1) * DATA),
  );
  return [...taken(blocks, DATA), ...taken(blocks.map(remainder), CORRECTION)];
}

/** The first of each part, then the second of each, and so on. */
function taken(parts: readonly number[][], count: number): number[] {
  return Array.from({ length: count }, (_, index) => parts.map((part) => part[index] ?? 0)).flat();
}

/** Of Reed and Solomon: what is left of the data after a division by the generator polynomial. */
function remainder(data: readonly number[]): number[] {
  let rest = Array.from({ length: CORRECTION }, () => 0);
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0);
    rest = [...rest.slice(1), 0].map((value, index) => value ^ product(generator[index] ?? 0, factor));
  }
  return rest;
}

const generator = Array.from({ length: CORRECTION }).reduce<{ terms: number[]; root: number }>(
  ({ terms, root }) => ({
    terms: terms.map((term, index) => product(term, root) ^ (terms[index + 1] ?? 0)),
    root: product(root, 2),
  }),
  { terms: [...Array.from({ length: CORRECTION - 1 }, () => 0), 1], root: 1 },
).terms;

/** In the field of 256 elements. */
function product(left: number, right: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    result ^= ((right >> bit) & 1) * left;
  }
  return result;
}

/** What every code has: finders, timing, alignment, format. */
function patterns(): { modules: boolean[][]; isReserved: (x: number, y: number) => boolean } {
  const modules = Array.from({ length: SIZE }, () => Array.from({ length: SIZE }, () => false));
  for (let index = 0; index < SIZE; index += 1) {
    set(modules, 6, index, index % 2 === 0);
    set(modules, index, 6, index % 2 === 0);
  }
  for (const [x, y] of [[3, 3] as const, [SIZE - 4, 3] as const, [3, SIZE - 4] as const])
    square(modules, x, y, [true, true, false, true, false]);
  square(modules, ALIGNMENT, ALIGNMENT, [true, false, true]);
  for (let index = 0; index < 15; index += 1) {
    const isDark = ((FORMAT >> index) & 1) === 1;
    // Beside the finder on the top left, and again in two halves beside the others.
    const along = index < 6 ? index : index < 8 ? index + 1 : 14 - index + (index === 8 ? 1 : 0);
    if (index < 8) set(modules, 8, along, isDark);
    else set(modules, along, 8, isDark);
    if (index < 8) set(modules, SIZE - 1 - index, 8, isDark);
    else set(modules, 8, SIZE - 15 + index, isDark);
  }
  set(modules, 8, SIZE - 8, true);
  const isReserved = (x: number, y: number) =>
    x === 6 ||
    y === 6 ||
    (x < 9 && y < 9) ||
    (x > SIZE - 9 && y < 9) ||
    (x < 9 && y > SIZE - 9) ||
    (Math.abs(x - ALIGNMENT) < 3 && Math.abs(y - ALIGNMENT) < 3);
  return { modules, isReserved };
}

/** Concentric squares around a centre, from the middle outwards, as far as the code goes. */
function square(modules: boolean[][], x: number, y: number, rings: readonly boolean[]): void {
  const reach = rings.length - 1;
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1)
      set(modules, x + dx, y + dy, rings[Math.max(Math.abs(dx), Math.abs(dy))] ?? false);
}

function set(modules: boolean[][], x: number, y: number, isDark: boolean): void {
  const row = modules[y];
  if (row && x >= 0 && x < SIZE) row[x] = isDark;
}

/** The way of the data: pairs of columns from the right, up and down in turn, without the timing column. */
function* zigzag(): Generator<readonly [number, number]> {
  let isUp = true;
  for (let right = SIZE - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < SIZE; step += 1) {
      const y = isUp ? SIZE - 1 - step : step;
      yield [right, y];
      yield [right - 1, y];
    }
    isUp = !isUp;
  }
}
