import assert from 'node:assert/strict'
import test from 'node:test'
import { isAnimated, stillOf } from '#formats/picture/animation.ts'

const gifFrame = (length: number) => [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, length, ...Array(length).fill(7), 0]
const LOOP = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]
/** A GIF of 1 × 1 with a colour table of two colours. */
const gif = (...blocks: number[][]) =>
  Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6, ...blocks.flat(), 0x3b])
const STILL_GIF = gif(LOOP, gifFrame(3))

function chunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)])
}
const webp = (...chunks: Buffer[]) => chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
const header = (flags: number, width: number) => chunk('VP8X', Buffer.of(flags, 0, 0, 0, width - 1, 0, 0, 0, 0, 0))
const PIXELS = chunk('VP8L', Buffer.from('pixel'))
/** A frame of 2 × 1. */
const FRAME = chunk('ANMF', Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 9, 0, 0, 0), PIXELS]))
const MOVING_WEBP = webp(header(0x12, 3), FRAME, FRAME)

const png = (frames: number) =>
  Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\x08acTL\0\0\0${String.fromCharCode(frames)}\0\0\0\0IDAT`, 'latin1')
const avif = (brand: string) => Buffer.from(`\0\0\0\x14ftyp${brand}\0\0\0\0mif1`, 'latin1')

const CASES: readonly [picture: string, type: string, bytes: Buffer, isMoving: boolean, still?: Buffer][] = [
  ['a GIF of two frames', 'gif', gif(LOOP, gifFrame(3), gifFrame(4)), true, STILL_GIF],
  ['a GIF of two frames that plays once', 'gif', gif(gifFrame(3), gifFrame(4)), true, gif(gifFrame(3))],
  ['a GIF of one frame', 'gif', STILL_GIF, false],
  ['a GIF of one frame with a comment after it', 'gif', gif(gifFrame(3), [0x21, 0xfe, 1, 65, 0]), false],
  ['the start of a GIF that repeats', 'gif', gif(LOOP, gifFrame(200)).subarray(0, 90), true],
  ['the start of a GIF that does not repeat', 'gif', gif(gifFrame(200)).subarray(0, 90), false],
  ['a WebP of two frames', 'webp', MOVING_WEBP, true, webp(header(0x10, 2), PIXELS)],
  ['a WebP of one frame', 'webp', webp(header(2, 2), FRAME), false],
  ['a WebP without frames', 'webp', webp(PIXELS), false],
  ['the start of a WebP with frames', 'webp', webp(header(2, 2), FRAME, FRAME).subarray(0, 50), true],
  ['a PNG of two frames', 'apng', png(2), true],
  ['a PNG of one frame', 'apng', png(1), false],
  ['a PNG', 'png', Buffer.from('\x89PNG\r\n\x1a\nIDAT acTL\0\0\0\x09', 'latin1'), false],
  ['an AVIF sequence', 'avif', avif('avis'), true, avif('avif')],
  ['an AVIF', 'avif', avif('avif'), false],
  ['an empty file', 'gif', Buffer.of(), false],
]

test('a picture moves if it has several frames, and its still is the first one in its format', () => {
  for (const [picture, type, bytes, isMoving, still] of CASES) {
    assert.equal(isAnimated(bytes, `image/${type}`), isMoving, picture)
    if (still) assert.deepEqual(stillOf(bytes, `image/${type}`), still, picture)
    if (!isMoving) assert.equal(stillOf(bytes, `image/${type}`), bytes, picture)
  }
})
