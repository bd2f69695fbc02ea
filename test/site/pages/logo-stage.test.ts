import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">${content}</svg>`
const bar = (fill: string, x = 20) => `<path d="M${x} 20h60v60h-60z" fill="${fill}"/>`

const { ask } = await servedBrand({
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/styles/colors.yaml':
    '- { name: Ink, hex: "#14212b" }\n- { name: <Sun>, hex: "#ffd500" }\n- { name: Paper, hex: "#faf7f2" }\n',
  'guide/pages/index.md':
    '# Home\n\n![Ours](../files/logo/acme.svg)\n\n![](../files/logo/acme-white.svg)\n\n![No](../files/logo/acme.svg "Don\'t: on wood")\n\n[Logo](../files/logo/acme.svg?stage)\n\nSee [its rules](../files/logo/acme.svg?stage).\n',
  'guide/files/logo/acme.svg': svg(bar('#14212b')),
  'guide/files/logo/acme-white.svg': svg(bar('#fff')),
  'guide/files/logo/other.svg': svg(bar('#14212b')),
  'guide/files/duo.svg': svg(`${bar('#14212b')}${bar('#ffd500', 100)}`),
  'guide/files/badge.svg': svg(
    '<circle cx="60" cy="50" r="40" fill="#14212b"/><circle cx="60" cy="50" r="9" fill="#fff"/>',
  ),
  'guide/files/plain.svg': svg('<path d="M0 0h200v100H0z" fill="#14212b"/>'),
  'guide/files/boxed.svg': svg(`<path d="M0 0h200v100H0z" fill="#fff"/>${bar('#14212b')}`),
  'guide/files/moving.gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'guide/files/files.yaml': `logo/acme.svg: { title: Our logo, ground: paper, minWidth: 24, clearSpace: 0.5, clearSpaceOf: <b>o</b> }
logo/acme-white.svg: { ground: ink }
`,
})

/** The stage of a file. A reply under load does not wait until its colours are measured. */
async function stageOf(path: string): Promise<string> {
  let text = ''
  await until(async () => {
    text = (await ask(`/acme/guide/-/file/${path}`)).text
    return path === 'moving.gif' || !text.includes('Its contrast is not known')
  })
  return text
}

/** The grounds on a stage in order: `Ink: legible, 16.3:1`. */
function groundsIn(text: string): string[] {
  const [, list = ''] = text.split('On the colours of the brand</b>')
  const item =
    /<rect [^>]*?(?:class|fill)="(#?\w+)(?:-lines)?".*?<b>(.*?)<\/b><span class="(\w+)">(?:<svg.*?<\/svg>)?(.*?)<\/span>/gs
  return Array.from(list.matchAll(item), ([, hex, name, verdict, words]) => `${hex} ${name} ${verdict}: ${words}`)
}

const CASES: [what: string, path: string, grounds: string[]][] = [
  [
    'the ground of its author comes first, then legible ones by contrast, then those to avoid',
    'logo/acme.svg',
    [
      '#faf7f2 Paper own: Its background, 15.3:1',
      'white White legible: Legible, 16.3:1',
      '#ffd500 &#60;Sun&#62; legible: Legible, 11.5:1',
      'black Black illegible: Do not use, 1.2:1',
      '#14212b Ink illegible: Do not use, 1.0:1',
    ],
  ],
  [
    'of several colours, the lowest contrast counts',
    'duo.svg',
    [
      'black Black illegible: Do not use, 1.2:1',
      'white White illegible: Do not use, 1.4:1',
      '#faf7f2 Paper illegible: Do not use, 1.3:1',
      '#14212b Ink illegible: Do not use, 1.0:1',
      '#ffd500 &#60;Sun&#62; illegible: Do not use, 1.0:1',
    ],
  ],
]

for (const [what, path, grounds] of CASES)
  test(`a logo has a verdict on each colour of the guide, on white and on black: ${what}`, async () =>
    assert.deepEqual(groundsIn(await stageOf(path)).toSorted(), grounds.toSorted()))

test('the first ground is that of the author, grounds to avoid come last, and white and black are apart', async () => {
  const verdicts = groundsIn(await stageOf('logo/acme.svg')).map(ground => /(\w+): /.exec(ground)?.[1])
  assert.deepEqual(verdicts, ['own', 'legible', 'illegible', 'legible', 'illegible'])
})

test('only colours that meet the ground count, and a drawing with its own ground or unknown pixels has no ratio', async () => {
  const verdicts: Record<string, string[]> = {}
  for (const path of ['badge.svg', 'plain.svg', 'boxed.svg', 'moving.gif'])
    verdicts[path] = Array.from(
      new Set(groundsIn(await stageOf(path)).map(ground => / (\w+: [^,]*)/.exec(ground)?.[1] ?? '')),
    )
  assert.deepEqual(verdicts, {
    'badge.svg': ['legible: Legible', 'illegible: Do not use'],
    'plain.svg': ['legible: Legible', 'illegible: Do not use'],
    'boxed.svg': ['filled: It brings its own background'],
    'moving.gif': ['unknown: Its contrast is not known'],
  })
})

test('the clear space is drawn to scale on all four sides, and the smallest size exactly as wide as it is', async () => {
  const text = await stageOf('logo/acme.svg')
  assert.match(text, /<b>Clear space<\/b><span>x = &#60;b&#62;o&#60;\/b&#62; \(0\.5 of the height\)<\/span>/)
  assert.match(text, /<svg class="space black-lines" viewBox="0 0 300 200"/)
  assert.match(text, /<image x="50" y="50" width="200" height="100" href="[^"]+acme\.svg">/)
  assert.match(text, /<b>Smallest size<\/b><span>24 px wide<\/span>.*?<img [^>]*width="24" height="12"/s)
  assert.doesNotMatch(await stageOf('duo.svg'), /Clear space|Smallest size/)
})

test('the other versions of a logo are the artwork of its folder whose name begins with the same word', async () => {
  const text = await stageOf('logo/acme.svg')
  const [, list = ''] = /<b>Another version<\/b>(.*?)<\/ul>/s.exec(text) ?? []
  const links = Array.from(list.matchAll(/href="([^"]+)"/g), ([, href]) => href)
  assert.deepEqual(links, ['/acme/guide/-/file/logo/acme-white.svg'])
})

test('a page shows a stage for a link with ?stage, and its logos link to their stages, except examples to avoid', async () => {
  const { text } = await ask('/acme/guide')
  assert.match(
    text,
    /<div class="logo-stage"><a class="stage-plate hero transparent" href="\/acme\/guide\/-\/file\/logo\/acme\.svg" aria-label="Our logo">/,
  )
  assert.equal(groundsIn(text).length, 5)
  assert.match(text, /See <a href="\/acme\/guide\/-\/file\/logo\/acme\.svg">its rules<\/a>/)
  const pictures = Array.from(text.matchAll(/<a class="picture[^>]*>/g), ([link]) =>
    link.replace(/ data-close="[^"]*"/, ''),
  )
  const seen = pictures.map(link => link.replace(/\/-\/files\/[\w-]+\//, '/-/files/KEY/'))
  assert.deepEqual(seen, [
    '<a class="picture ground-paper" href="/acme/guide/-/file/logo/acme.svg" aria-label="Our logo: Ours">',
    '<a class="picture ground-ink" href="/acme/guide/-/file/logo/acme-white.svg" aria-label="Acme white">',
    '<a class="picture enlarge ground-paper" href="/acme/guide/-/files/KEY/acme.svg">',
  ])
})
