import assert from 'node:assert/strict'
import test from 'node:test'
import { deckOf, documentOf, rels, shape, usesOf, zipOf } from './office-file.ts'

const RUN = '<a:r><a:rPr sz="1800"/><a:t>Text</a:t></a:r>'
const SLIDE = 'ppt/slides/slide0.xml'
const unreadable = (message: string, slide?: number) => ({ ...(slide && { slide }), kind: 'unreadable', message })
const withSlide = (content: string) => zipOf({ ...deckOf(''), [SLIDE]: content })

const FILES: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
  'an OLE compound file': [
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    /^is protected with a password, or is in the old format/,
  ],
  'no zip file': [Buffer.from('Hello'), /^is damaged or no Office file/],
  'an empty file': [new Uint8Array(), /^is damaged or no Office file/],
  'a zip file without a main part': [zipOf({ a: 'b' }), /^is not a presentation or text document/],
  'an encrypted zip file': [zipOf(deckOf(''), 1), /is protected with a password/],
  'a main part out of the package': [
    zipOf({ '_rels/.rels': rels(['a', 'officeDocument', '../x.xml']) }),
    /^is not a presentation or text document/,
  ],
  'an external main part': [
    zipOf({ '_rels/.rels': rels(['a', 'officeDocument', 'x.xml', 'External']) }),
    /^is not a presentation or text document/,
  ],
  'a spreadsheet': [
    zipOf({ '_rels/.rels': rels(['a', 'officeDocument', 'xl/workbook.xml']), 'xl/workbook.xml': '<workbook/>' }),
    /^is not a presentation or text document/,
  ],
  'too many parts': [
    zipOf(Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`${at}`, '']))),
    /^has more than 50000/,
  ],
  'a DOCTYPE': [
    withSlide(`<!DOCTYPE a [<!ENTITY b "b">${'<!ENTITY c "&b;&b;">'.repeat(9)}]><a>&c;</a>`),
    /slide0\.xml has a DOCTYPE/,
  ],
  '400,000 nested elements': [withSlide('<a>'.repeat(400_000)), /slide0\.xml is nested more than 1000 levels deep/],
  'malformed XML': [withSlide('<a><b></a>'), /slide0\.xml .*unexpected close tag/],
  'a huge shape': [
    withSlide(`<p:sp>${'<a/>'.repeat(400_000)}</p:sp>`),
    /slide0\.xml has a paragraph or shape that is too large/,
  ],
  'a huge text': [
    withSlide(`<p:sp><a:t>${'a'.repeat(8 << 20)}</a:t></p:sp>`),
    /slide0\.xml has a paragraph or shape that is too large/,
  ],
  'a huge tag': [withSlide(`<a ${Array.from({ length: 500_000 }, (_, at) => `a${at}=""`).join(' ')}/>`), /too large/],
  '1 GB of zeros': [zipOf({ ...deckOf(''), [SLIDE]: Buffer.alloc(1 << 30) }), /slide0\.xml /],
  '65 MiB of spaces': [withSlide(`<a>${' '.repeat(65 << 20)}</a>`), /slide0\.xml is too large/],
}

for (const [title, [bytes, message]] of Object.entries(FILES))
  test(`${title} is unreadable`, async () => {
    const uses = await usesOf(bytes)
    const seen = uses.map(use => 'kind' in use && use.kind)
    const expected = uses.map(() => 'unreadable')
    assert.deepEqual(seen, expected)
    assert.match(JSON.stringify(uses[0]), new RegExp(message.source.replace('^', '"message":"')))
  })

test('parts with absolute names and names out of the package are not read', async () => {
  const parts = { '/ppt/slides/slide0.xml': 'x', '../../x': 'x', ...deckOf(shape('', RUN)) }
  assert.deepEqual(await usesOf(zipOf(parts)), await usesOf(zipOf(deckOf(shape('', RUN)))))
})

test('relationships that form a loop end', async () => {
  const loop = rels(
    ['rId1', 'slideLayout', 'slide0.xml'],
    ['rId2', 'slideMaster', 'slide0.xml'],
    ['rId3', 'theme', 'slide0.xml'],
    ['rId4', 'diagramDrawing', 'slide0.xml'],
  )
  const parts = { ...deckOf(shape('', RUN)), 'ppt/slides/_rels/slide0.xml.rels': loop }
  const texts = (await usesOf(zipOf(parts))).filter(use => 'text' in use)
  const words = { slide: 1, shape: 'Box', kind: 'words', text: 'Text' }
  assert.deepEqual(texts, [words, words])
})

test('a file of more than 256 MiB in all says which slides are not read', async () => {
  const content = `<a>${'word '.repeat(12 << 20)}</a>`
  const parts = {
    ...deckOf('', '', '', '', '', ''),
    ...Object.fromEntries([0, 1, 2, 3, 4, 5].map(at => [`ppt/slides/slide${at}.xml`, content])),
  }
  assert.deepEqual((await usesOf(zipOf(parts))).slice(-1), [
    unreadable('is too large or too damaged: slides 4 to 6 are not read; divide the file', 4),
  ])
})

test('a document that is cut off or changed anywhere never throws and always ends', async () => {
  const seeds = [
    zipOf(deckOf(shape('<a:solidFill><a:srgbClr val="123456"/></a:solidFill>', RUN))),
    zipOf(documentOf('<w:p><w:r><w:t>a</w:t></w:r></w:p>')),
  ]
  let state = 1
  const random = (below: number) => {
    state = (Math.imul(state, 48271) >>> 0) % 0x7fffffff
    return state % below
  }
  for (const bytes of seeds) {
    for (let round = 0; round < 20; round += 1) {
      const uses = await usesOf(bytes.subarray(0, random(bytes.length)))
      assert.match(JSON.stringify(uses), /unreadable/)
    }
    for (let round = 0; round < 60; round += 1) {
      const changed = Uint8Array.from(bytes)
      for (let flip = 0; flip <= random(8); flip += 1) changed[random(bytes.length)] = random(256)
      await usesOf(changed)
    }
  }
})

test('a deck of 2,000 slides is read to its end', async () => {
  const content = shape('<a:solidFill><a:srgbClr val="123456"/></a:solidFill>', RUN)
  const usesIn = async (count: number) => usesOf(zipOf(deckOf(...new Array<string>(count).fill(content))))
  assert.equal((await usesIn(2000)).length, 2000 * (await usesIn(1)).length)
})
