import assert from 'node:assert/strict'
import test from 'node:test'
import { readPdf } from '#delivery/lint/pdf/read-pdf.ts'
import { golden } from '../../../support/golden.ts'
import { deflatedStream, pdfFile, pdfStream } from '../../../support/pdf-file.ts'
import { summaryOf } from '../summary.ts'

const TINT = '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[1 0 0 0]/N 1>>'
const separation = (name: string) => `[/Separation/${name}/DeviceCMYK ${TINT}]`
const FONT = '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>'
const SPOT = `/ColorSpace<</Spot ${separation('PANTONE#201665#20C')}/Other ${separation('Reflex#20Blue')}/All ${separation('All')}/None ${separation('None')}/Black ${separation('Black')}/Table[/Indexed/Spot 1<00ff>]/Tinted[/Pattern/DeviceCMYK]/Mixed[/DeviceN[/Cyan/PANTONE#20300#20C/None]/DeviceCMYK ${TINT}]>>`
const RESOURCES = `${FONT}${SPOT}/ExtGState<</Over<</OP true>>/Half<</ca 0.5/CA 1>>/Plain<</ca 1/BM/Normal/SMask/None>>/Blend<</BM/Multiply>>>>`
const OBJECTS = [
  pdfStream(
    '/Other cs 1 scn 0 0 9 9 re f /Self Do',
    `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<${SPOT}/XObject<</Self 10 0 R>>>>`,
  ),
  pdfStream(
    '/Other cs 1 scn 0 0 9 9 re f',
    `/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<${SPOT}>>`,
  ),
  pdfStream('0 0 9 9 re f', '/PatternType 1/PaintType 2/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>'),
  pdfStream(
    'x',
    `/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace ${separation('Reflex#20Blue')}`,
  ),
  pdfStream('x', '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 1/ImageMask true'),
  pdfStream('xxx', '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace[/ICCBased 16 0 R]'),
  pdfStream('', '/N 3'),
]
const BELOW = `/XObject<</Form 10 0 R/Image 13 0 R/Stencil 14 0 R/Photo 15 0 R>>/Pattern<</Cells 11 0 R/Plain 12 0 R/Blend<</PatternType 2/Shading<</ShadingType 2/ColorSpace ${separation('Reflex#20Blue')}/Coords[0 0 9 9]/Function ${TINT}>>>>>>/Shading<</S<</ShadingType 2/ColorSpace ${separation('Reflex#20Blue')}/Coords[0 0 9 9]/Function ${TINT}>>>>`

async function usesOf(content: string, purpose?: 'print' | 'screen', parts: object = {}) {
  const file = pdfFile({ pages: [content], resources: RESOURCES + BELOW, objects: OBJECTS, ...parts })
  return [...(await readPdf(file, purpose))]
}

const spot = (name: string, role = 'ground') => ({ page: 1, kind: 'ink', name, role })
const build = (cmyk: readonly number[], role = 'ground') => ({ page: 1, kind: 'build', cmyk, role })
const color = (hex: string, role = 'ground', alpha = 1) => ({
  page: 1,
  kind: 'color',
  color: { hex, alpha },
  written: hex,
  role,
})
const print = (about: string) => ({ page: 1, kind: 'print', about })
const AREA = '0 0 50 50 re f'

type Case = { content: string; purpose?: 'print' | 'screen' }

golden('lint/pdf', async ({ content, purpose }: Case) => (await usesOf(content, purpose)).map(use => summaryOf(use)))

test('a file is for print by its output intent or a spot colour, and not by a CMYK build or a profile for screens', async () => {
  const intent = (entries: string) => `/OutputIntents[<</Type/OutputIntent${entries}>>]`
  const profile = (components: number) => `/S/GTS_PDFA1/DestOutputProfile ${10 + components} 0 R`
  const objects = Array.from({ length: 5 }, (_, at) => pdfStream('', `/N ${at}`))
  const cases = [
    ['0 0 0 1 k', '', 'screen'],
    ['0 g', '', 'screen'],
    ['0 g', intent(profile(3)), 'screen'],
    ['0 g', intent(profile(4)), 'print'],
    ['0 g', intent('/S/GTS_PDFX'), 'print'],
    ['/Spot cs 1 scn', '', 'print'],
    ['/Spot cs 0 scn', '', 'screen'],
  ] as const
  for (const [set, catalog, expected] of cases) {
    const uses = await usesOf(`${set} ${AREA} 0.5 g ${AREA}`, undefined, { catalog, objects })
    assert.equal(uses.some(({ kind }) => kind === 'color') ? 'screen' : 'print', expected, `${set} ${catalog}`)
  }
})

test('a version of PDF/X says whether RGB is allowed, in the information or in the metadata', async () => {
  const metadata = (text: string) => ({ catalog: '/Metadata 10 0 R', objects: [pdfStream(text)] })
  const info = (version: string) => ({ trailer: `/Info<</GTS_PDFXVersion(${version})>>`, objects: [] })
  const cases = [
    [info('PDF/X-1:2001'), false],
    [info('PDF/X-1a:2003'), false],
    [info('PDF/X-3:2002'), true],
    [info('\\376\\377\\0P\\0D\\0F\\0/\\0X\\0-\\0003'), true],
    [metadata('<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>'), true],
    [metadata('<rdf:Description pdfx:GTS_PDFXVersion="PDF/X-1a:2001"/>'), false],
    [{}, false],
  ] as const
  for (const [parts, isAllowed] of cases)
    assert.deepEqual(await usesOf(`1 0 0 rg ${AREA}`, 'print', parts), [{ ...print('rgb'), isAllowed }])
})

test('words are in lines, in the language of the document, and a word that is divided is one word', async () => {
  const content = 'BT /F 12 Tf 14 TL 50 300 Td (A note for the em-) Tj T* (ployees of Acme) Tj ET'
  const words = (await usesOf(content, 'print', { catalog: '/Lang(en-GB)' })).filter(({ kind }) => kind === 'words')
  assert.deepEqual(words, [{ page: 1, kind: 'words', text: 'A note for the em_ployees of Acme', lang: 'en-GB' }])
})

test('pages are counted from 1, and streams of objects and deflated contents are read', async () => {
  const form = Buffer.from('10 0 [/Separation/Reflex#20Blue/DeviceCMYK 11 0 R]')
  const objects = [
    pdfStream('', '/N 3'),
    deflatedStream(Buffer.from(TINT)),
    deflatedStream(form, 1, '/Type/ObjStm/N 1/First 5'),
    deflatedStream(Buffer.from(`1 0 0 rg ${AREA}`)),
  ]
  const file = pdfFile({ pages: [AREA, `0 1 0 0 k ${AREA}`], objects })
  assert.deepEqual([...(await readPdf(file, 'print'))], [build([0, 0, 0, 100]), { ...build([0, 100, 0, 0]), page: 2 }])
})

test('an area is a ground if it is opaque and not thin on the page, as a border is', async () => {
  const form = pdfStream('0 0 0 rg 0 0 50 50 re f', '/Subtype/Form/BBox[0 0 50 50]/Matrix[0 0.1 -0.1 0 0 0]')
  const resources = `/XObject<</X 10 0 R>>`
  const content =
    '0.5 g q 0.1 0 0 1 0 0 cm 0 0 50 50 re f Q 0.8 g 50 0 0 50 9 9 cm 0 0 1 1 re f 0.02 0 0 0.02 0 0 cm /X Do'
  const uses = await usesOf(content, 'screen', { resources, objects: [form] })
  assert.deepEqual(uses, [color('#808080', 'border'), color('#cccccc'), color('#000000', 'border')])
})

const RED = `1 0 0 rg ${AREA}`
const form = (content: string, inner: string) =>
  pdfStream(content, `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${inner}>>>>`)
const CHAIN = Array.from({ length: 40 }, (_, at) => form(`/X Do ${RED}`, `${11 + at} 0 R`))
const X = '/XObject<</X 10 0 R>>'
const SAVE = 'open it in its program and save it again as PDF'
const unread = (message: string) => ({ page: 1, kind: 'unreadable', message: `its content ${message}` })
const MISSING = 'a part of it is missing, because the file is cut off or damaged: save it again'
const missing = { page: 1, kind: 'unreadable', message: MISSING }
const withKids = (kids: string) =>
  Buffer.from(
    pdfFile({ pages: [RED, RED] })
      .toString('latin1')
      .replace('[3 0 R 4 0 R]', kids.padEnd(13)),
    'latin1',
  )

const DAMAGED: Readonly<Record<string, readonly [Buffer, object[]]>> = {
  'a file that is cut off': [
    pdfFile({ pages: [RED] }).subarray(0, 200),
    [{ kind: 'unreadable', message: `is damaged, or no PDF: ${SAVE}` }],
  ],
  'a page tree that is in itself': [
    withKids('[2 0 R 3 0 R]'),
    [
      color('#ff0000'),
      {
        page: 2,
        kind: 'unreadable',
        message: 'the file is too large or too damaged: its pages from 2 on are not read; divide it',
      },
    ],
  ],
  'a page tree that lacks a page': [withKids('[9 0 R 3 0 R]'), [missing, { ...color('#ff0000'), page: 2 }]],
  'a page that is there twice': [withKids('[3 0 R 3 0 R]'), [color('#ff0000'), { ...color('#ff0000'), page: 2 }]],
  'a page that lacks a form': [pdfFile({ pages: [`/X Do ${RED}`], resources: X }), [color('#ff0000'), missing]],
  'a page that lacks its content': [
    Buffer.from(
      pdfFile({ pages: [RED] })
        .toString('latin1')
        .replace(/\/Contents \d/, '/Contents 9'),
      'latin1',
    ),
    [missing],
  ],
  'forms in too many others': [
    pdfFile({ pages: ['/X Do'], resources: X, objects: CHAIN }),
    [unread('has too many forms in each other: save it again')],
  ],
  'a form in itself': [
    pdfFile({ pages: ['/X Do'], resources: X, objects: [form(`/X Do ${RED}`, '10 0 R')] }),
    [color('#ff0000')],
  ],
  'too many lists in each other': [
    pdfFile({ pages: [`${RED} ${'['.repeat(1000)}`] }),
    [color('#ff0000'), unread('is damaged: it has too many lists in each other')],
  ],
  'a content in an old compression': [
    pdfFile({ pages: ['/X Do'], resources: X, objects: [pdfStream('x', '/Subtype/Form/Filter/LZWDecode')] }),
    [unread('is compressed in a way that is not read (LZWDecode): save it again in its program')],
  ],
  'a file with damaged metadata': [
    pdfFile({ pages: [RED], catalog: '/Metadata 10 0 R', objects: [pdfStream('<xml>', '/Filter/FlateDecode')] }),
    [
      { kind: 'unreadable', message: `its metadata, which may name a version of PDF/X, is damaged: ${SAVE}` },
      color('#ff0000'),
    ],
  ],
  'a form that unpacks to more than 32 MiB': [
    pdfFile({
      pages: [`${RED} /X Do`],
      resources: X,
      objects: [deflatedStream(Buffer.alloc(33 << 20, ' '), 2, '/Subtype/Form')],
    }),
    [color('#ff0000'), unread('is too large to read: divide the file')],
  ],
  'an indexed space of itself': [
    pdfFile({
      pages: [`/A cs 1 scn ${AREA}`],
      resources: '/ColorSpace<</A 10 0 R>>',
      objects: ['[/Indexed 10 0 R 1 <00>]'],
    }),
    [],
  ],
}

for (const [name, [file, expected]] of Object.entries(DAMAGED))
  test(`${name} is read as far as possible, or unreadable`, async () =>
    assert.deepEqual([...(await readPdf(file))], expected))

test('names of inks are in UTF-8, or else in Latin-1', async () => {
  const resources = `/ColorSpace<</New ${separation('Gr#C3#BCn')}/Old ${separation('Wei#DF')}>>`
  const uses = await usesOf(`/New cs 1 scn ${AREA} /Old cs 1 scn ${AREA}`, 'print', { resources })
  assert.deepEqual(uses, [spot('Grün'), spot('Weiß')])
})
