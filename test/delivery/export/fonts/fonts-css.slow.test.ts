import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../../support/browser.ts'
import { exported, exporting, type MadeExport } from '../../../support/exported.ts'
import { collection, formatsOf, INTER, interWith, nameTable, sfnt, variableInter } from '../../../support/fonts.ts'
import { localServer } from '../../../support/local-server.ts'
import { fc, forAllIn } from '../../../support/random.ts'
import { URL_OF_SERVICE } from '../../../support/service.ts'
import type { Contents } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await temporaryStore()
const inter = (name: string) => readFile(`node_modules/@fontsource/inter/files/inter-${name}`)

const FONTS: Contents = {
  'files/a/Inter-Regular.woff2': await inter('latin-400-normal.woff2'),
  'files/a/Inter-Regular.woff': await inter('latin-400-normal.woff'),
  'files/a/Inter-Italic-LatinExt.woff2': await inter('latin-ext-400-italic.woff2'),
  'files/a/OFL.txt': 'SIL Open Font License',
  'files/b/Variable (all).ttf': variableInter([
    ['wght', 100, 400, 900],
    ['wdth', 75, 100, 125],
  ]),
  'files/c/pair.ttc': collection([INTER, INTER]),
}

let current: ReadonlyMap<string, Uint8Array> = new Map()
const { url: address } = await localServer((request, response) => {
  const name = decodeURIComponent(request.url ?? '/').slice(1)
  const bytes = name === '' ? Buffer.from('<!doctype html><link rel="stylesheet" href="fonts.css">') : current.get(name)
  const type = name === '' ? 'text/html' : name.endsWith('.css') ? 'text/css; charset=utf-8' : 'font/ttf'
  response.writeHead(bytes ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' }).end(bytes)
})

test('fonts.css has a face for each font with weights, formats and characters', CHROMIUM, async () => {
  const { files, leftOut } = await exported(temporary, 'fonts', FONTS)
  const sheet = textOf(files.get('fonts.css'))
  const faces = sheet.split('@font-face').slice(1)
  assert.equal(faces.length, 3)
  const [regular = '', italic = '', variable = ''] = [/400;\n.*normal/, /italic/, /100 900/].map(
    pattern => faces.find(face => pattern.test(face)) ?? '',
  )
  assert.match(
    regular,
    /src: url\("http[^"]*\/Inter-Regular\.woff2"\) format\("woff2"\), url\("http[^"]*woff"\) format/,
  )
  assert.doesNotMatch(regular, /unicode-range/)
  assert.match(italic, /font-style: italic[\s\S]*unicode-range: U\+/)
  assert.match(variable, /font-weight: 100 900;\n {2}font-stretch: 75% 125%;/)
  for (const face of faces) assert.match(face, /font-display: swap;/)
  assert.ok(sheet.includes(`url("${URL_OF_SERVICE}/`))
  assert.match(sheet, /^ \* licence: https:\/\/openfontlicense\.org$/m)
  assert.deepEqual(leftOut, [
    '1 font collection (files/c/pair.ttc): browsers do not load font collections; export each font as its own file',
  ])
  assert.match(sheet, /^ \* left out: 1 font collection \(files\/c\/pair\.ttc\)/m)
})

test('fonts.css has one rule for fonts that style sheets cannot tell apart, and says which it leaves out', async () => {
  const font = sfnt(INTER)
  const { files, leftOut } = await exported(temporary, 'fonts', {
    'files/inter.ttf': font,
    'files/old/inter.ttf': Buffer.concat([font, Buffer.alloc(4)]),
  })
  assert.equal(textOf(files.get('fonts.css')).split('@font-face').length, 2)
  assert.deepEqual(leftOut, ['1 font (files/old/inter.ttf): style sheets cannot tell it apart from one before it'])
})

test('fonts.css has the same face for a variable font as WOFF2, WOFF and TTF', async () => {
  const faces: string[] = []
  for (const [format, font] of Object.entries(await formatsOf('roboto-flex-latin-full-normal'))) {
    const { files } = await exported(temporary, 'fonts', { [`files/font.${format}`]: font }, { copy: true })
    const sheet = textOf(files.get('fonts.css'))
    faces.push(sheet.slice(sheet.indexOf('@font-face')).replaceAll(/src: .*/g, ''))
    assert.match(sheet, /^ \* licence: .*OFL|openfontlicense/m)
  }
  assert.match(faces[0] ?? '', /font-weight: 100 1000;\n.*25% 151%/)
  assert.equal(new Set(faces).size, 1, faces.join(''))
})

test('a browser loads each face of a copied folder from the folder of its sheet', CHROMIUM, async () => {
  const made = await exported(temporary, 'fonts', FONTS, { copy: true })
  assert.deepEqual([...made.files.keys()].sort(), [
    'Inter-Italic-LatinExt.woff2',
    'Inter-Regular.woff',
    'Inter-Regular.woff2',
    'OFL.txt',
    'Variable (all).ttf',
    'fonts.css',
  ])
  assert.deepEqual(
    await loadedFaces(made),
    [
      { family: 'Inter', weight: '400', style: 'italic', status: 'loaded' },
      { family: 'Inter', weight: '400', style: 'normal', status: 'loaded' },
      { family: 'Inter', weight: '100 900', style: 'normal', status: 'loaded' },
    ].sort(byText),
  )
})

test('a font that can lean leaves italics to the italic font of its family', async () => {
  const italic = await inter('latin-400-italic.woff2')
  for (const [end, style] of [
    [-10, 'oblique 0deg 10deg'],
    [-15, 'normal'],
  ] as const) {
    const upright = variableInter([['slnt', end, 0, 0]])
    const { files } = await exported(temporary, 'fonts', { 'files/a.ttf': upright, 'files/b.woff2': italic })
    assert.deepEqual(stylesIn(textOf(files.get('fonts.css'))), [style, 'italic'])
  }
})

for (const name of ['recursive', 'roboto-flex'] as const)
  test(`Chromium slants ${name} only along its axis, in each weight`, CHROMIUM, async () => {
    const { woff2 } = await formatsOf(`${name}-latin-full-normal`)
    const made = await exported(temporary, 'fonts', { 'files/a.woff2': woff2 }, { copy: true })
    const end = name === 'recursive' ? -14 : -10
    const [faces] = [await loadedFaces(made)]
    assert.ok(faces.every(({ status }) => status === 'loaded'))
    const page = shown?.page ?? assert.fail()
    const draw = async (css: string) => {
      await page.evaluate(`document.body.innerHTML =
        \`<p style='font: 60px "${faces[0]?.family}"; font-synthesis: style; ${css}'>Hamburg</p>\``)
      return (await page.locator('p').screenshot()).toString('base64')
    }
    for (const weight of [400, 800]) {
      const upright = await draw(`font-weight: ${weight}`)
      const leaning = await draw(`font-weight: ${weight}; font-variation-settings: "slnt" ${end}`)
      assert.equal(await draw(`font-weight: ${weight}; font-style: italic`), leaning)
      assert.equal(await draw(`font-weight: ${weight}; font-variation-settings: "slnt" 0`), upright)
      assert.notEqual(upright, leaning)
    }
  })

test('files with the same name get a number in the folder of the sheet', CHROMIUM, async () => {
  const made = await exported(
    temporary,
    'fonts',
    {
      'files/a/x.woff': await inter('latin-400-normal.woff'),
      'files/b/X.woff': await inter('latin-700-normal.woff'),
      'files/c/fonts.css': 'not ours',
    },
    { copy: true },
  )
  assert.deepEqual([...made.files.keys()].sort(), ['X~2.woff', 'fonts.css', 'x.woff'])
  assert.equal((await loadedFaces(made)).filter(({ status }) => status === 'loaded').length, 2)
})

test('a browser reads any family name unchanged', CHROMIUM, async () => {
  const piece = fc.constantFrom(...'"¦\'¦*/¦\\¦</style>¦{{¦---¦__proto__¦😀¦\u202e'.split('¦'), 'x'.repeat(40), 'a')
  const names = fc.uniqueArray(
    fc.array(piece, { minLength: 1, maxLength: 5 }).map(parts => `F${parts.join('')}`),
    { minLength: 1, maxLength: 4 },
  )
  await forAllIn(2, [names], async families => {
    const fonts = families.map((family, at) => [`files/${at}.ttf`, hostileFont(family)])
    const made = await exported(temporary, 'fonts', Object.fromEntries(fonts), { copy: true })
    const faces = await loadedFaces(made)
    assert.deepEqual(faces.map(({ family }) => family).sort(), [...families].sort())
    assert.ok(faces.every(({ status }) => status === 'loaded'))
  })
})

test('an export names fonts that no browser loads, and one without fonts says where to put them', async () => {
  const [none, collections] = await Promise.all([
    exporting(temporary, 'fonts', { 'pages/index.md': '# A' }),
    exporting(temporary, 'fonts', { 'files/pair.ttc': collection([INTER, INTER]) }),
  ])
  assert.match(none.ok ? '' : none.problem, /^the project has no font; put its \.woff2/)
  assert.match(collections.ok ? '' : collections.problem, /^1 font collection \(files\/pair\.ttc\)/)
})

/** A font with this string as its family, copyright and licence. */
function hostileFont(text: string): Buffer {
  return interWith({
    name: nameTable([
      [3, 0x409, 0, `${text} copyright`],
      [3, 0x409, 1, text],
      [3, 0x409, 2, 'Regular'],
      [3, 0x409, 13, text],
      [3, 0x409, 14, text],
    ]),
  })
}

/** The style of each face, with its places on axes. */
function stylesIn(sheet: string): string[] {
  const faces = sheet.matchAll(/font-style: ([^;]+);(?:\s+font-variation-settings: ([^;]+);)?/g)
  return Array.from(faces, ([, style, places]) => [style, places].filter(Boolean).join(' '))
}

type Loaded = { family: string; weight: string; style: string; status: string }

let shown: Awaited<ReturnType<typeof openPage>> | undefined

/** The faces in an export that Chromium loads from a served folder. */
async function loadedFaces({ files }: MadeExport): Promise<Loaded[]> {
  current = files
  shown ??= await openPage()
  await shown.page.goto(`${address}/`)
  const found = await shown.page.evaluate<Loaded[]>(`(async () => {
    const faces = [...document.fonts]
    await Promise.allSettled(faces.map(face => face.load()))
    return faces.map(({ family, weight, style, status }) => ({ family, weight, style, status }))
  })()`)
  return found.map(face => ({ ...face, family: unquote(face.family) })).sort(byText)
}

function byText(a: Loaded, b: Loaded): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

/** A family as `FontFace.family` has it: serialised as CSS. */
function unquote(family: string): string {
  const inner = /^"(.*)"$/su.exec(family)?.[1]
  return inner === undefined
    ? family
    : inner.replace(/\\(?:([0-9a-f]{1,6}) ?|(.))/giu, (_, hex: string, mark: string) =>
        hex === undefined ? mark : String.fromCodePoint(Number.parseInt(hex, 16)),
      )
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes)
}
