import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { readFilm } from '#site/thumbnails/film-size.ts'

const webm = readFileSync(new URL('../../fixtures/film.webm', import.meta.url))

function box(name: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** A track header (ISO/IEC 14496-12 §8.3.2) of version 0 or 1. */
function track(version: number, width: number, height: number, matrix: readonly number[] = [1, 0, 0, 1]): Buffer {
  const at = version === 0 ? 40 : 52
  const header = Buffer.alloc(at + 44)
  header.writeUInt8(version)
  for (const [place, value] of [0, 4, 12, 16].map((place, index) => [place, matrix[index] ?? 0] as const))
    header.writeInt32BE(value * 65_536, at + place)
  header.writeUInt16BE(width, at + 36)
  header.writeUInt16BE(height, at + 40)
  return box('trak', box('edts'), box('tkhd', header))
}

function mp4(...tracks: Buffer[]): Buffer {
  return Buffer.concat([box('ftyp', Buffer.from('isom')), box('mdat', Buffer.alloc(200_000)), box('moov', ...tracks)])
}

function sizeOf(contentType: string, bytes: Buffer) {
  async function* chunks(part: Buffer) {
    yield part
  }
  return readFilm({ contentType, size: bytes.length }, async ({ start, end }) => chunks(bytes.subarray(start, end + 1)))
}

test('a film has the size of its first track with a picture, also at the end of the file', async () => {
  const wide = { width: 1920, height: 1080 }
  assert.deepEqual(await sizeOf('video/mp4', mp4(track(0, 0, 0), track(0, 1920, 1080))), wide)
  assert.deepEqual(await sizeOf('video/mp4', mp4(track(1, 1920, 1080))), wide)
  assert.deepEqual(await sizeOf('video/webm', webm), { width: 32, height: 18 })
})

test('a film that is turned by 90° has its sides swapped', async () => {
  const turned = mp4(track(0, 1920, 1080, [0, 1, -1, 0]))
  assert.deepEqual(await sizeOf('video/mp4', turned), { width: 1080, height: 1920 })
})

test('a damaged film, a cut one and one of only sound have no size', async () => {
  const cut = Array.from({ length: 330 }, (_, length) => webm.subarray(0, length))
  for (const bytes of [...cut, Buffer.alloc(300), Buffer.alloc(300, 0xff), Buffer.from('\x01'.repeat(5000), 'latin1')])
    assert.equal(await sizeOf('video/webm', bytes).catch(() => undefined), undefined)
  for (const bytes of [mp4(track(0, 0, 0)), mp4(), Buffer.alloc(300, 0xff), Buffer.alloc(300)])
    assert.equal(await sizeOf('video/mp4', bytes).catch(() => undefined), undefined)
})
