import assert from 'node:assert/strict'
import test from 'node:test'
import { documentOf, usesOf, zipOf } from './office-file.ts'

const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const color = (hex: string, role: string, written = hex.toUpperCase()) => ({
  kind: 'color',
  color: { hex, alpha: 1 },
  written,
  role,
})
const words = (text: string) => ({ kind: 'words', text })
const TOP = words('Top')
const STYLES = `<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:rPr><w:rFonts w:asciiTheme="minorHAnsi"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Title"><w:basedOn w:val="Normal"/><w:rPr><w:b/><w:color w:val="123456"/></w:rPr></w:style><w:style w:type="character" w:styleId="Loop"><w:basedOn w:val="Loop"/><w:rPr><w:color w:val="654321"/></w:rPr></w:style>`
const TYPE = { kind: 'type', family: 'Small', size: 16, written: { size: '12pt' } }
const FONT = { kind: 'font', family: 'Small' }

const BODIES: Readonly<Record<string, readonly [string, string, object[]]>> = {
  'text without styles is words': [paragraph(run('a') + run('b')), '', [words('ab')]],
  'the default style and the defaults of the document apply': [paragraph(run('a')), STYLES, [FONT, TYPE, words('a')]],
  'the font of a check box is not compared, and its colour is': [
    paragraph(
      run('☐', '<w:rFonts w:ascii="MS Gothic"/><w:color w:val="123456"/>') +
        run('a', '<w:rFonts w:ascii="MS Gothic"/>'),
    ),
    '',
    [color('#123456', 'text'), { kind: 'font', family: 'MS Gothic' }, words('☐a')],
  ],
  'a style inherits from the one that it is based on': [
    paragraph(run('a'), '<w:pStyle w:val="Title"/>'),
    STYLES,
    [color('#123456', 'text'), FONT, { ...TYPE, weight: 700 }, words('a')],
  ],
  'a character style beats the paragraph style, and a loop of styles ends': [
    paragraph(run('a', '<w:rStyle w:val="Loop"/><w:b w:val="0"/>'), '<w:pStyle w:val="Title"/>'),
    STYLES,
    [color('#654321', 'text'), FONT, TYPE, words('a')],
  ],
  'direct properties beat styles': [
    paragraph(run('a', '<w:rFonts w:ascii="Arial"/><w:sz w:val="30"/>'), '<w:pStyle w:val="Title"/>'),
    STYLES,
    [
      color('#123456', 'text'),
      { kind: 'font', family: 'Arial' },
      { kind: 'type', family: 'Arial', size: 20, written: { size: '15pt' }, weight: 700 },
      words('a'),
    ],
  ],
  'borders of paragraphs, cells and tables have their colours': [
    `${paragraph(run('a'), '<w:pBdr><w:top w:val="single" w:color="112233"/><w:left w:val="nil" w:color="445566"/></w:pBdr>')}<w:tbl><w:tblPr><w:tblBorders><w:insideH w:val="single" w:color="223344"/></w:tblBorders></w:tblPr><w:tr><w:tc><w:tcPr><w:tcBorders><w:top w:val="single" w:color="auto"/><w:end w:val="single" w:color="334455"/></w:tcBorders></w:tcPr>${paragraph(run('b'))}</w:tc></w:tr></w:tbl>`,
    '',
    [color('#112233', 'border'), words('a'), color('#223344', 'border'), color('#334455', 'border'), words('b')],
  ],
  'a colour of the theme has its name, and a shade of it the value that Word wrote': [
    paragraph(
      run('a', '<w:color w:val="000000" w:themeColor="accent1"/>') +
        run('b', '<w:color w:val="0E385C" w:themeColor="accent1" w:themeShade="80"/>') +
        run('c', '<w:color w:val="auto"/>') +
        run('d', '<w:color w:val="auto" w:themeColor="text1"/>'),
    ),
    '',
    [
      color('#1d70b8', 'text', 'accent1 (#1D70B8)'),
      { ...color('#0e385c', 'text', 'accent1 (#0E385C)'), shade: { of: '#1d70b8', change: 'darker 50 %' } },
      color('#000000', 'text', 'dk1 (#000000)'),
      words('abcd'),
    ],
  ],
  'a tint in a named style has its name': [
    paragraph(run('a'), '<w:pStyle w:val="H1"/>'),
    `${STYLES}<w:style w:type="paragraph" w:styleId="H1"><w:basedOn w:val="Normal"/><w:name w:val="heading 1"/><w:rPr><w:color w:val="77A9D4" w:themeColor="accent1" w:themeTint="99"/></w:rPr></w:style>`,
    [
      {
        ...color('#77a9d4', 'text', 'accent1 (#77A9D4)'),
        shade: { of: '#1d70b8', change: 'lighter 40 %', style: 'heading 1' },
      },
      FONT,
      TYPE,
      words('a'),
    ],
  ],
  'shading of a cell is the ground of its text': [
    `<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val="clear" w:fill="FFFF00"/></w:tcPr>${paragraph(run('a', '<w:color w:val="FFFFFF"/>'))}</w:tc></w:tr></w:tbl>`,
    '',
    [
      color('#ffff00', 'ground'),
      color('#ffffff', 'text'),
      { kind: 'contrast', text: '#ffffff', ground: '#ffff00' },
      words('a'),
    ],
  ],
  'shading of a run beats that of its paragraph': [
    paragraph(
      run('a', '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="000000"/>'),
      '<w:shd w:val="clear" w:fill="EEEEEE"/>',
    ),
    '',
    [
      color('#eeeeee', 'ground'),
      color('#000000', 'ground'),
      color('#ffffff', 'text'),
      { kind: 'contrast', text: '#ffffff', ground: '#000000' },
      words('a'),
    ],
  ],
  'deleted, moved and hidden text and field instructions are not read': [
    `${paragraph(
      `<w:del>${run('x')}</w:del><w:moveFrom>${run('x')}</w:moveFrom><w:ins>${run('new')}</w:ins>${run('x', '<w:vanish/>')}<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:delText>x</w:delText></w:r>`,
    )}`,
    '',
    [words('new')],
  ],
  'a text box in a paragraph has its own text': [
    paragraph(
      `${run('out')}<w:r><w:drawing><wp:docPr xmlns:wp="x" descr="A box"/><w:txbxContent>${paragraph(run('in'))}</w:txbxContent></w:drawing></w:r>`,
    ),
    '',
    [words('out'), words('A box'), words('in')],
  ],
  'runs in a row in one language are one text, and the language of a text follows its script': [
    paragraph(
      run('Log', '<w:lang w:val="en-GB"/>') +
        run('in', '<w:lang w:val="en-US"/>') +
        run(' – ', '<w:lang w:val="fr-FR"/>') +
        run('Der Login', '<w:lang w:val="de-DE" w:eastAsia="ja-JP" w:bidi="he-IL"/>') +
        run('ログイン', '<w:lang w:val="de-DE" w:eastAsia="ja-JP" w:bidi="he-IL"/>') +
        run('דף', '<w:lang w:val="de-DE" w:eastAsia="ja-JP" w:bidi="he-IL"/>') +
        run('c', '<w:lang w:val="x-none"/>'),
    ),
    '',
    [
      { ...words('Login – '), lang: 'en' },
      { ...words('Der Login'), lang: 'de' },
      { ...words('ログイン'), lang: 'ja' },
      { ...words('דף'), lang: 'he' },
      words('c'),
    ],
  ],
}

test('text of a document has the language of its style, or else of the defaults', async () => {
  const styles =
    '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>' +
    '<w:style w:type="paragraph" w:styleId="Quote"><w:rPr><w:lang w:val="fr-FR"/></w:rPr></w:style>'
  const body = paragraph(run('Der Login')) + paragraph(run('Le login'), '<w:pStyle w:val="Quote"/>')
  const uses = await usesOf(zipOf(documentOf(body, styles)))
  const [first, second] = uses.filter(use => 'kind' in use && use.kind === 'words')
  assert.deepEqual(
    [first, second],
    [
      { ...words('Der Login'), lang: 'de' },
      { ...words('Le login'), lang: 'fr' },
    ],
  )
})

for (const [title, [body, styles, expected]] of Object.entries(BODIES))
  test(`in a document, ${title}`, async () => {
    assert.deepEqual(await usesOf(zipOf(documentOf(body, styles))), [...expected, ...(styles ? [FONT, TYPE] : []), TOP])
  })
