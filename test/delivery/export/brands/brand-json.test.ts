import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { field } from '#platform/base/object.ts'
import { validBrand } from '../../../support/brand-schema.ts'
import { exported, onlyText } from '../../../support/exported.ts'
import { sfnt } from '../../../support/sfnt.ts'
import type { Contents } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { INTER, variableInter } from '../../../support/variable-font.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()

const svg = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="M0 0h9v9z"/></svg>`

const BRAND: Contents = {
  'project.yaml': `name: Guide
visibility: public
lang: pt-BR
contact: brand@acme.example
theme: { logo: files/logo/acme.svg, logoDark: files/logo/acme-white.svg, icon: files/mark.svg, accent: signal, ground: paper }
words: [{ write: use, not: [utilise, leverage], reason: shorter }]
`,
  'pages/index.md': '---\ndescription: What Acme stands for.\n---\n# Acme\n',
  'pages/basics/tone-of-voice.md': '---\ndescription: Short and warm.\n---\n# How we write\n',
  'styles/colors.yaml': `- { name: Signal, hex: "#cc3a06", cmyk: [0, 80, 100, 10], pms: 179 C, ral: 2002, inks: { HKS: 8 K }, on: [paper] }
- { name: Paper, hex: "#faf7f2" }
- { name: Text, hex: "#14212b" }
`,
  'styles/types.yaml': `- { name: Heading, family: Inter, fallback: [Arial], size: 40, weight: 650, leading: 1.1, tracking: -0.02, casing: uppercase }
- { name: Small, family: Caption Serif, casing: small-caps, features: { tnum: 1 } }
`,
  'files/logo/acme.svg': svg(400, 100),
  'files/logo/acme-white.svg': svg(100, 400),
  'files/logo/acme.eps': '%!PS-Adobe-3.0 EPSF-3.0\n',
  'files/mark.svg': svg(64, 64),
  'files/files.yaml': `logo/acme.svg: { description: Acme, minWidth: 72, clearSpace: 0.5, clearSpaceOf: the letter o, ground: paper, medium: [print], until: 2099-01-31 }\n`,
  'files/fonts/inter.ttf': variableInter([['wght', 50, 400, 950]]),
  'files/fonts/plain.ttf': sfnt(INTER),
}

test('brand.json has the brand, its logos with their rules, colours with print values, fonts, type and tone', async () => {
  const made = await exported(temporary, 'brand-json', BRAND, {}, 'https://brand.acme.example')
  const file = JSON.parse(onlyText(made))
  validBrand(file)
  const guide = `https://brand.acme.example/${file.id.replace('__', '/')}`
  assert.equal(file.url, guide)
  assert.deepEqual(file.names, [{ pt_BR: 'Acme' }, { pt_BR: 'Acme – Guide' }])
  assert.equal(file.description, 'What Acme stands for.')
  assert.equal(file.housestyle.contact, 'brand@acme.example')
  assert.deepEqual([file.agents, file.brand_agent, file.housestyle.mcp], [undefined, undefined, `${guide}/-/mcp`])
  assert.deepEqual(file.visual_guidelines.colorways, [
    { name: 'Signal on Paper', foreground: '#cc3a06', background: '#faf7f2' },
  ])
  assert.deepEqual(file.tone, { voice: 'Short and warm.', url: `${guide}/basics/tone-of-voice` })
  assert.deepEqual(file.housestyle.words, [{ write: 'use', not: ['utilise', 'leverage'], reason: 'shorter' }])
  assert.deepEqual(file.colors, {
    primary: '#cc3a06',
    accent: '#cc3a06',
    background: '#faf7f2',
    signal: '#cc3a06',
    paper: '#faf7f2',
    text: '#14212b',
  })
  const { signal } = file.housestyle.colors
  assert.deepEqual([signal.cmyk, signal.pms, signal.ral, signal.inks], ['0,80,100,10', '179 C', 2002, { HKS: '8 K' }])
  assert.deepEqual(made.leftOut, ['1 file (logo/acme.eps): a logo is a picture here'])
  assert.deepEqual(file.housestyle.leftOut, made.leftOut)
})

test('a logo says its shape, its background, the smallest width, the clear space and the rights', async () => {
  const file = JSON.parse(onlyText(await exported(temporary, 'brand-json', BRAND)))
  const logos = file.logos.map(({ url, housestyle, ...logo }: Record<string, unknown>) => {
    assert.match(`${url}`, /^http.*\/-\/files\/[\w-]+\/[\w-]+\.svg$/)
    return { ...logo, until: field(housestyle, 'until') }
  })
  assert.deepEqual(logos, [
    {
      id: 'logo-acme-svg',
      orientation: 'horizontal',
      background: 'light-bg',
      variant: 'primary',
      width: 400,
      height: 100,
      until: '2099-01-31',
    },
    {
      id: 'logo-acme-white-svg',
      orientation: 'vertical',
      background: 'dark-bg',
      width: 100,
      height: 400,
      until: undefined,
    },
    {
      id: 'mark-svg',
      orientation: 'square',
      variant: 'icon',
      width: 64,
      height: 64,
      until: undefined,
    },
  ])
  assert.deepEqual(file.visual_guidelines.logo_usage_rules, [
    {
      logo_id: 'logo-acme-svg',
      minimum_size: { width: '72px' },
      clear_space: '0.5 × the height of the logo: the letter o',
      allowed_backgrounds: [{ kind: 'name', name: 'paper' }],
      contexts: ['print'],
    },
  ])
})

test('type styles name their font by its role, and keep values that the format has no place for', async () => {
  const file = JSON.parse(onlyText(await exported(temporary, 'brand-json', BRAND, {}, 'https://brand.acme.example')))
  const { primary, ...others } = file.fonts
  assert.deepEqual(others, { secondary: { family: 'Caption Serif' } })
  assert.deepEqual(
    [
      primary.family,
      primary.fallbacks,
      primary.files.map(({ url, ...font }: { url: string }) => [url.split('/').at(-1), font]),
    ],
    [
      'Inter',
      ['Arial'],
      [
        ['inter.ttf', { weight_range: [100, 900], style: 'normal' }],
        ['plain.ttf', { weight: 400, style: 'normal' }],
      ],
    ],
  )
  assert.deepEqual(file.visual_guidelines.type_scale, {
    heading: {
      font: 'primary',
      size: '40px',
      weight: '650',
      line_height: '1.1',
      letter_spacing: '-0.02em',
      text_transform: 'uppercase',
      housestyle: { name: 'Heading', responsive: false, features: {}, fallback: ['Arial'] },
    },
    small: {
      font: 'secondary',
      housestyle: { name: 'Small', responsive: false, features: { tnum: 1 }, casing: 'small-caps' },
    },
  })
})

test('without an https address, fonts are only under housestyle, which the export says', async () => {
  const made = await exported(temporary, 'brand-json', BRAND)
  const file = JSON.parse(onlyText(made))
  validBrand(file)
  assert.match(file.housestyle.mcp, /^http:.*\/-\/mcp$/)
  assert.equal(file.fonts.primary.files, undefined)
  assert.equal(file.fonts.primary.housestyle.files.length, 2)
  assert.match(made.leftOut.at(-1) ?? '', /^the addresses of fonts: the format has only https;/)
})

test('brand.json of Acme is valid', async () => {
  const acme = 'examples/acme/guidelines'
  const paths = globSync('**/*', { cwd: acme, withFileTypes: true }).filter(entry => entry.isFile())
  const names = paths.map(({ parentPath, name }) => `${parentPath}/${name}`)
  const contents = names.map(
    async path => [path.slice(path.indexOf(acme) + acme.length + 1), await readFile(path)] as const,
  )
  const file = JSON.parse(
    onlyText(
      await exported(temporary, 'brand-json', Object.fromEntries(await Promise.all(contents)), {}, 'https://a.example'),
    ),
  )
  validBrand(file)
  assert.match(file.tone.url, /\/voice$/)
})

test('brand.json of any brand is valid', async () => {
  await forAnyBrand(20, async brand => {
    const file = JSON.parse(onlyText(await exported(temporary, 'brand-json', brand, {}, 'https://a.example')))
    validBrand(file)
  })
})

test('the tone of voice is a page with a word for it as a whole word, in any language of the website', async () => {
  const voiceOf = async (path: string, title: string) => {
    const made = await exported(temporary, 'brand-json', { 'pages/index.md': '# Acme\n', [path]: `# ${title}\n` })
    return JSON.parse(onlyText(made)).tone?.voice
  }
  assert.equal(await voiceOf('pages/a/voice-and-tone.md', 'Writing'), 'Writing')
  for (const title of ['Unsere Tonalität', 'Tonalité', 'Tom de voz', 'トーン', '声とトーン', 'النبرة والصوت'])
    assert.equal(await voiceOf('pages/b.md', title), title)
  for (const title of ['Invoices and stones', 'トーンカーブ', '発声'])
    assert.equal(await voiceOf('pages/voice/d.md', title), undefined)
})
