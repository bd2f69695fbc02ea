import assert from 'node:assert/strict'
import test from 'node:test'
import { convertWord } from '#adopt/documents/word.ts'
import { documentOf, rels, zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { TASK } from '../page-facts.ts'

const style = (id: string, name: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
const STYLES =
  style('Title', 'Title') +
  style('H1', 'heading 1') +
  style('Box', 'Box') +
  style('Caption', 'caption') +
  style('U2', 'Überschrift 2') +
  style('Toc', 'toc 1')
const text = (words: string, format = '') =>
  `<w:r><w:rPr>${format}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`
const paragraph = (runs: string, of = '') => `<w:p><w:pPr>${of ? `<w:pStyle w:val="${of}"/>` : ''}</w:pPr>${runs}</w:p>`
const row = (...cells: string[]) =>
  `<w:tr>${cells.map(cell => `<w:tc>${paragraph(text(cell))}</w:tc>`).join('')}</w:tr>`
const drawing = (id: string, alt: string) =>
  `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="${alt}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

const BODY = [
  paragraph(text('Brand book'), 'Title'),
  paragraph(text('Logo'), 'H1'),
  paragraph(text('Always ', '<w:b/>') + text('blue')),
  paragraph(text('Logo 2'), 'Toc'),
  paragraph(`${text('Boxed')}<w:del w:id="1">${text('Gone').replaceAll('w:t', 'w:delText')}</w:del>`, 'Box'),
  paragraph(`${text('Figure ')}<w:fldSimple w:instr="SEQ">${text('1')}</w:fldSimple>`, 'U2'),
  paragraph(drawing('rId8', 'The mark')),
  paragraph(text('In blue'), 'Caption'),
  paragraph(drawing('rId9', 'Old')),
  `<w:tbl>${row('Name', 'Hex')}${row('Ink', '#123456')}</w:tbl>`,
].join('')

const converted = (parts: Record<string, string | Uint8Array>) => convertWord(zipOf(parts), { ...TASK, kind: 'docx' })

test('a Word file becomes a page with its title, headings, tables and pictures, and says what it lost', async () => {
  const { text, notes, pictures, tables } = await converted({
    ...documentOf(BODY, STYLES),
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/><Default Extension="emf" ContentType="image/x-emf"/></Types>',
    'word/_rels/document.xml.rels': rels(
      ['rId1', 'styles', 'styles.xml'],
      ['rId8', 'image', 'media/a.png'],
      ['rId9', 'image', 'media/b.emf'],
    ),
    'word/media/a.png': Buffer.from([1, 2]),
    'word/media/b.emf': Buffer.from([3]),
  })
  assert.equal(
    text,
    '# Brand book\n\n## Logo\n\n**Always** blue\n\nBoxed\n\n### Figure\n\n![The mark](/@media/picture-1.png "In blue")\n\nOld\n\n| Name | Hex |\n| - | - |\n| Ink | #123456 |\n',
  )
  assert.deepEqual(pictures, [{ name: 'picture-1.png', bytes: Buffer.from([1, 2]) }])
  assert.deepEqual(tables, [{ line: 1, header: ['Name', 'Hex'], rows: [['Ink', '#123456']] }])
  const place = { path: 'site/a.html', line: 1 }
  assert.deepEqual(notes.lost, [
    { ...place, what: 'deleted text', text: 'Gone' },
    { ...place, what: 'field', text: '1' },
    { ...place, what: 'page header', text: 'Top' },
    { ...place, what: 'picture', text: 'image/x-emf' },
    { ...place, what: 'part of a Word file', text: 'An unrecognised element was ignored: w:fldSimple' },
  ])
  assert.deepEqual(notes.converted, [
    { ...place, what: '<nav> Logo 2', became: 'the navigation of the guide' },
    { ...place, what: 'style Box', became: 'text without a style' },
  ])
})

test('text that Word hides does not arrive, and headings are those of any style with a level', async () => {
  const styles = [
    '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>',
    '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Brand\'s"/><w:basedOn w:val="H2"/></w:style>',
    '<w:style w:type="paragraph" w:styleId="Out"><w:name w:val="Out"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
    '<w:style w:type="paragraph" w:styleId="Hid"><w:name w:val="Hid"/><w:rPr><w:vanish/></w:rPr></w:style>',
    '<w:style w:type="paragraph" w:styleId="Hid2"><w:name w:val="Hid2"/><w:basedOn w:val="Hid"/></w:style>',
    '<w:style w:type="paragraph" w:styleId="See"><w:name w:val="See"/><w:basedOn w:val="Hid"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>',
  ]
  const body = [
    paragraph(text('Outer'), 'Out'),
    paragraph(text('Inner'), 'Own'),
    paragraph(text('A') + text('B', '<w:vanish/>') + text('C', '<w:specVanish/>') + text('D', '<w:vanish w:val="0"/>')),
    paragraph(text('E', '<w:rStyle w:val="Hid2"/>') + text('F', '<w:rStyle w:val="See"/>')),
    paragraph(text('G') + text('H', '<w:vanish w:val="false"/>'), 'Hid2'),
    `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${text('I')}<w:r><w:cr/></w:r>${text('J')}</w:p>`,
  ]
  const page = await converted(documentOf(body.join(''), styles.join('')))
  assert.equal(page.text, '# Outer\n\n## Inner\n\nAD\n\nF\n\nH\n\nI\\\nJ\n')
  const hidden = page.notes.lost.filter(({ what }) => what === 'hidden text').map(each => each.text)
  assert.deepEqual(hidden, ['B', 'C', 'E', 'G'])
})

const BROKEN: readonly (readonly [subject: string, bytes: Uint8Array, message: RegExp])[] = [
  ['has no text', zipOf({ 'word/x.xml': 'x' }), /^Error: is not a Word file, or damaged/],
  ['is no ZIP archive', Buffer.from('x'), /^Error: is not a Word file/],
  ['unpacks to very many bytes', zipOf({ ...documentOf(''), 'word/x.xml': Buffer.alloc(101 << 20) }), /too many bytes/],
]
for (const [subject, bytes, message] of BROKEN)
  test(`a Word file that ${subject} is refused`, () => assert.rejects(convertWord(bytes, TASK), message))
