import assert from 'node:assert/strict'
import test from 'node:test'
import { pageSize, readPage, storedPicture } from '#formats/pdf/page.ts'
import { pdfOf } from '#test/support/pdf.ts'

test('a letter with a negative size in a turned matrix is upright', async () => {
  const { letters } = readPage(await pdfOf('BT /F -18 Tf -1 0 0 -1 50 300 Tm (Up) Tj ET'), 1)
  assert.deepEqual(
    letters.map(({ text, size, angle }) => [text, size, Math.cos(angle).toFixed(3)]),
    [
      ['U', 18, '1.000'],
      ['p', 18, '1.000'],
    ],
  )
})

test('rectangles, also rounded ones, circles and frames are plain; triangles and letters are not', async () => {
  const circle =
    '100 50 m 100 77.6 77.6 100 50 100 c 22.4 100 0 77.6 0 50 c 0 22.4 22.4 0 50 0 c 77.6 0 100 22.4 100 50 c f'
  const frame = '0 0 100 60 re 1 1 98 58 re f*'
  const shapes = [
    '0 0 100 60 re f',
    circle,
    frame,
    '0 0 m 50 60 l 100 0 l f',
    '0 0 m 0 60 l 20 60 l 20 20 l 60 20 l 60 0 l f',
  ]
  const page = readPage(await pdfOf(shapes.join('\n')), 1)
  const seen = page.shapes.map(({ isPlain }) => isPlain)
  assert.deepEqual(seen, [true, true, true, false, false])
})

test('a gradient is a shape without a fill, in the box of its clip', async () => {
  const { shapes } = readPage(await pdfOf('q 100 100 m 150 200 l 200 100 l h W n /S sh Q'), 1)
  const seen = shapes.map(({ kind, fill, left, top, right, bottom }) => [kind, fill, left, top, right, bottom])
  assert.deepEqual(seen, [['path', undefined, 100, 200, 200, 300]])
})

test('a document is opened anew for the next page once much of it was read', async () => {
  const pdf = await pdfOf('BT /F 12 Tf 50 300 Td (One) Tj ET', 'BT /F 12 Tf 50 300 Td (Two) Tj ET')
  assert.equal(readPage(pdf, 1).letters.length, 3)
  pdf.readBytes = 2 ** 30
  const texts = readPage(pdf, 2).letters.map(({ text }) => text)
  assert.deepEqual(texts, ['T', 'w', 'o'])
  assert.deepEqual([pdf.readBytes < 2 ** 20, pageSize(pdf, 1)], [true, { width: 600, height: 400 }])
})

test('a JPEG that is stored as letters is the JPEG itself', async () => {
  const hex =
    `ffd8ffdb004300${'ff'.repeat(64)}ffc0000b080001000101011100ffc4001400010000000000000000000000000000` +
    `0000ffc40014100100000000000000000000000000000000ffda0008010100003f003fffd9`
  const pdf = await pdfOf(`20 0 0 20 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 /F [/AHx /DCT] ID ${hex}> EI`)
  const [{ jpeg = -1 } = {}] = readPage(pdf, 1).shapes
  assert.equal(Buffer.from(storedPicture(pdf, 1, jpeg) ?? []).toString('hex'), hex)
})
