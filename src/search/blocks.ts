const BLOCK_BITS = 16
/** Numbers in a block: 256 KiB, so that receiving one takes a fraction of a millisecond. */
export const BLOCK_NUMBERS = 1 << BLOCK_BITS
const BLOCK_BYTES = BLOCK_NUMBERS * Uint32Array.BYTES_PER_ELEMENT

/** Numbers of 32 bits in blocks, so that none is copied when more are added. */
export type Column = {
  /** Adds a block, which nobody may change any more. Only the last one may hold fewer than `BLOCK_NUMBERS`. */
  add: (block: Uint32Array) => void
  at: (index: number) => number
  /** The numbers from `start` to `end`, in as many pieces as there are blocks. */
  slices: (start: number, end: number) => Uint32Array[]
  length: () => number
  bytes: () => number
}

/** Opens an empty column. */
export function openColumn(): Column {
  const blocks: Uint32Array[] = []
  return {
    add: block => void blocks.push(isTight(block) ? block : block.slice()),
    at: index => blocks[index >>> BLOCK_BITS]?.[index & (BLOCK_NUMBERS - 1)] ?? 0,
    slices: (start, end) => {
      const slices: Uint32Array[] = []
      for (let at = start >>> BLOCK_BITS; at * BLOCK_NUMBERS < end; at++) {
        const first = at * BLOCK_NUMBERS
        slices.push((blocks[at] ?? EMPTY).subarray(Math.max(0, start - first), end - first))
      }
      return slices
    },
    length: () => blocks.reduce((sum, { length }) => sum + length, 0),
    bytes: () => bytesOf(blocks),
  }
}

const EMPTY = new Uint32Array()

/** Whether a block is large, and little else stands in the memory that it keeps: that of a message of another process. */
function isTight({ byteLength, buffer }: ArrayBufferView): boolean {
  return byteLength > 0.75 * BLOCK_BYTES && buffer.byteLength <= 1.25 * byteLength
}

function bytesOf(blocks: readonly ArrayBufferView[]): number {
  return blocks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
}

/** Writes numbers into one block, and passes it on whenever it is full. The receiver must copy it at once. */
export function numberWriter(handOn: (block: Uint32Array) => void) {
  const block = new Uint32Array(BLOCK_NUMBERS)
  let filled = 0
  const flush = (): void => {
    if (filled > 0) handOn(block.subarray(0, filled))
    filled = 0
  }
  const write = (value: number): void => {
    block[filled++] = value
    if (filled === BLOCK_NUMBERS) flush()
  }
  return { write, flush }
}

/** Texts as UTF-8 in blocks. A text is in one block, and is found by the ends of itself and of the text before it. */
export type TextColumn = {
  /** Adds a block, which nobody may change any more. */
  add: (block: Uint8Array) => void
  text: (endBefore: number, end: number) => string
  bytes: () => number
}

/** Opens an empty column of texts. */
export function openTextColumn(): TextColumn {
  const blocks: Uint8Array[] = []
  return {
    add: block => void blocks.push(isTight(block) ? block : block.slice()),
    text: (endBefore, end) => {
      if (endBefore === end) return ''
      const at = Math.floor((end - 1) / BLOCK_BYTES)
      const first = at * BLOCK_BYTES
      return DECODER.decode(blocks[at]?.subarray(Math.max(0, endBefore - first), end - first))
    },
    bytes: () => bytesOf(blocks),
  }
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Writes texts of at most `BLOCK_NUMBERS` letters into one block, and hands it on whenever the next text does not fit.
 * Writing a text gives its end, for which every block before it counts as full.
 */
export function textWriter(handOn: (block: Uint8Array) => void) {
  const block = new Uint8Array(BLOCK_BYTES)
  let [first, filled] = [0, 0]
  const flush = (): void => {
    if (filled > 0) handOn(block.subarray(0, filled))
    first += BLOCK_BYTES
    filled = 0
  }
  const write = (text: string): number => {
    const fit = ENCODER.encodeInto(text, block.subarray(filled))
    if (fit.read === text.length) filled += fit.written
    else {
      flush()
      filled = ENCODER.encodeInto(text, block).written
    }
    return first + filled
  }
  return { write, flush }
}

const ENCODER = new TextEncoder()
