import assert from 'node:assert/strict'
import test from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { testService } from '../../support/service.ts'
import { publishedStore } from '../../support/temporary-store.ts'

/** More bytes than cards show without a thumbnail. */
const NOISE = Buffer.alloc(60_000, 'noise')
const BOMBS: Readonly<Record<string, Buffer>> = {
  'declares-4-gigapixels.png': png(60_000, 60_000, NOISE),
  'declares-what-is-not-there.png': png(5700, 5800, deflateSync(Buffer.alloc(1000))),
  'unpacks-to-more-than-declared.png': png(800, 800, deflateSync(Buffer.alloc(256 << 20))),
  'ends-early.png': png(2000, 2000, deflateSync(Buffer.alloc(2000 * 8001))).subarray(0, 12_000),
  'declares-4-gigapixels.jpg': jpeg(65_535, 65_535),
  'is-noise.jpg': jpeg(5700, 5700),
  'declares-another-size.webp': webp(
    ['VP8X', Buffer.from('00000000bb0200bb0200', 'hex')],
    ['VP8L', lossless(16_383, 16_383)],
  ),
  'is-noise.webp': webp(['VP8L', lossless(5700, 5700)]),
}
const temporary = await publishedStore('acme/guide', {
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/index.md': Object.keys(BOMBS)
    .map(name => `[${name}](../files/${name})\n\n`)
    .join(''),
  'guide/files/whole.png': png(800, 600, deflateSync(Buffer.alloc(600 * 3201, 0))),
  ...Object.fromEntries(Object.entries(BOMBS).map(([name, bytes]) => [`guide/files/${name}`, bytes])),
})
const { ask } = await testService(temporary)

test('pictures that are larger, shorter or of another type than declared redirect to the file, and the service keeps working', async () => {
  const { text } = await ask('/acme/guide/-/files')
  const addresses = Array.from(text.matchAll(/src="([^"]+\/-\/thumbnails\/[^"]+)"/g), ([, address = '']) => address)
  const bombs = addresses.filter(address => !address.endsWith('/whole.png'))
  assert.ok(bombs.length >= 4, `${bombs}`)
  const answers = Promise.all(bombs.map(async address => ({ address, ...(await ask(address)) })))
  assert.equal((await ask('/acme/guide')).status, 200)
  for (const { address, status, headers, bytes } of await answers) {
    if (status === 307) assert.match(headers.get('location') ?? '', /\/-\/files\//, address)
    else assert.ok(status === 200 && headers.get('content-type') === 'image/webp' && bytes.length < 10_000, address)
  }
  const whole = addresses.find(address => address.endsWith('/whole.png')) ?? ''
  assert.equal((await ask(whole)).status, 200)
})

function png(width: number, height: number, data: Uint8Array): Buffer {
  const header = Buffer.from('00000000000000000806000000', 'hex')
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const chunks = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, NOISE])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc00011080000000003011100021100031100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const start = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
  return Buffer.concat([start, frame, Buffer.from('ffda000c03010002000300003f00', 'hex'), NOISE])
}

/** The start of a picture without loss, whose size is two times 14 bits (RFC 9649 §3.4). */
function lossless(width: number, height: number): Buffer {
  const size = Buffer.alloc(5, 0x2f)
  size.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  return Buffer.concat([size, NOISE])
}

function webp(...chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const body = Buffer.concat(
    chunks.map(([type, data]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(data.length)
      return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)])
    }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length + 4)
  return Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), body])
}
