import assert from 'node:assert/strict'
import test from 'node:test'
import { BadForm, multipart } from '#platform/exchange/multipart.ts'
import { fc } from '../../support/random.ts'

type Part = { name: string; filename?: string | undefined; text: string }

async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(body: AsyncIterable<Uint8Array>, type: string): Promise<Part[]> {
  const parts: (Part & { bytes: Buffer })[] = []
  for await (const piece of multipart(body, type)) {
    const last = parts.at(-1)
    if (!(piece instanceof Uint8Array)) parts.push({ ...piece, text: '', bytes: Buffer.alloc(0) })
    else if (last) last.bytes = Buffer.concat([last.bytes, piece])
  }
  return parts.map(({ name, filename, bytes }) => ({ name, filename, text: bytes.toString('latin1') }))
}

test('a form as fetch sends it has its fields and files, in pieces of any size', async () => {
  const text = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'a', ' ', '\0') })
  const form = fc.record({ field: text, file: text, name: fc.constantFrom('a.png', 'Ünser "Bild".PNG', '; name=x') })
  await fc.assert(
    fc.asyncProperty(form, fc.integer({ min: 1, max: 200 }), async ({ field, file, name }, size) => {
      const sent = new FormData()
      // Browsers send line ends of fields as CRLF.
      const value = field.replaceAll(/[\r\n]/g, '')
      sent.set('token', value)
      sent.set('picture', new File([file], name))
      const made = new Response(sent)
      const body = piecesOf(new Uint8Array(await made.arrayBuffer()), size)
      assert.deepEqual(await read(body, made.headers.get('content-type') ?? ''), [
        { name: 'token', filename: undefined, text: value },
        { name: 'picture', filename: name, text: file },
      ])
    }),
    { numRuns: 50 },
  )
})

const TYPE = 'multipart/form-data; boundary="x"'
const HEAD = 'Content-Disposition: form-data; name="a"\r\n\r\n'
for (const [what, body, type] of [
  ['a form that ends early', `--x\r\n${HEAD}text`, TYPE],
  ['a form without a part', '', TYPE],
  ['a form of another kind', 'a=b', 'application/x-www-form-urlencoded'],
  ['a form without a boundary', `--x\r\n${HEAD}text\r\n--x--\r\n`, 'multipart/form-data'],
  ['a form with a head of many bytes', `--x\r\n${'x'.repeat(100_000)}`, TYPE],
] as const)
  test(`${what} is refused`, async () => {
    await assert.rejects(read(piecesOf(Buffer.from(body), 1000), type), BadForm)
  })
