// The columns of a search index: long lists of numbers and strings, in blocks of one size that processes send each other.

const BLOCK_BITS = 16
/** The numbers in a block: 256 KiB, so that receiving a block takes a fraction of a millisecond. */
export const BLOCK_NUMBERS = 1 << BLOCK_BITS
const BLOCK_BYTES = BLOCK_NUMBERS * Uint32Array.BYTES_PER_ELEMENT

/** 32-bit numbers in blocks, so that adding more copies none. */
export type Column = {
  /** Adds a block, which must not change afterwards. Only the last one may have fewer than `BLOCK_NUMBERS`. */
  add: (block: Uint32Array) => void
  at: (index: number) => number
  /** The numbers from `start` to `end`, one piece for each block. */
  slices: (start: number, end: number) => Uint32Array[]
  length: () => number
  bytes: () => number
}

export function openColumn(): Column {
  const blocks: Uint32Array[] = []
  return {
    add: block => void blocks.push(isTight(block) ? block : block.slice()),
    // A block has 2¹⁶ numbers: the upper bits are the number of the block, the lower ones the position in it.
    at: index => blocks[index >>> BLOCK_BITS]?.[index & (BLOCK_NUMBERS - 1)] ?? 0,
    slices: (start, end) => {
      const slices: Uint32Array[] = []
      for (let number = start >>> BLOCK_BITS; number * BLOCK_NUMBERS < end; number++) {
        const blockStart = number * BLOCK_NUMBERS
        // `subarray` ends at the end of the block, even if the slice ends later.
        slices.push((blocks[number] ?? EMPTY).subarray(Math.max(0, start - blockStart), end - blockStart))
      }
      return slices
    },
    length: () => blocks.reduce((sum, { length }) => sum + length, 0),
    bytes: () => bytesOf(blocks),
  }
}

const EMPTY = new Uint32Array()

/** Whether a block is large and uses most of its buffer, which comes from a message of another process; others are copied. */
function isTight({ byteLength, buffer }: ArrayBufferView): boolean {
  return byteLength > 0.75 * BLOCK_BYTES && buffer.byteLength <= 1.25 * byteLength
}

function bytesOf(blocks: readonly ArrayBufferView[]): number {
  return blocks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
}

/** Writes numbers into one block and passes it to `onBlock` when it is full. The receiver must copy it at once. */
export function numberWriter(onBlock: (block: Uint32Array) => void) {
  const block = new Uint32Array(BLOCK_NUMBERS)
  let filled = 0
  const flush = (): void => {
    if (filled > 0) onBlock(block.subarray(0, filled))
    filled = 0
  }
  const write = (value: number): void => {
    block[filled] = value
    filled++
    if (filled === BLOCK_NUMBERS) flush()
  }
  return { write, flush }
}

/** UTF-8 strings in blocks. A string is in one block; its position follows from its end and the end before it. */
export type TextColumn = {
  /** Adds a block, which must not change afterwards. */
  add: (block: Uint8Array) => void
  /** The string between two ends that `textWriter` returned: that of the string before it, or 0, and its own. */
  text: (endBefore: number, end: number) => string
  bytes: () => number
}

export function openTextColumn(): TextColumn {
  const blocks: Uint8Array[] = []
  return {
    add: block => void blocks.push(isTight(block) ? block : block.slice()),
    text: (endBefore, end) => {
      if (endBefore === end) return ''
      const number = Math.floor((end - 1) / BLOCK_BYTES)
      const blockStart = number * BLOCK_BYTES
      // The end before it can be in an earlier block, which had no room for the string: then, it begins this block.
      return DECODER.decode(blocks[number]?.subarray(Math.max(0, endBefore - blockStart), end - blockStart))
    },
    bytes: () => bytesOf(blocks),
  }
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Writes strings of at most `BLOCK_NUMBERS` letters into one block, and passes it to `onBlock` when the next string
 * does not fit. `write` returns the end of the string, as if all earlier blocks were full.
 */
export function textWriter(onBlock: (block: Uint8Array) => void) {
  const block = new Uint8Array(BLOCK_BYTES)
  let blockStart = 0
  let filled = 0
  const flush = (): void => {
    if (filled > 0) onBlock(block.subarray(0, filled))
    blockStart += BLOCK_BYTES
    filled = 0
  }
  const write = (text: string): number => {
    const fit = ENCODER.encodeInto(text, block.subarray(filled))
    if (fit.read === text.length) filled += fit.written
    else {
      // The string did not fit: its written part stays out of the block, and it begins the next one.
      flush()
      filled = ENCODER.encodeInto(text, block).written
    }
    return blockStart + filled
  }
  return { write, flush }
}

const ENCODER = new TextEncoder()
