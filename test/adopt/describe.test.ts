import assert from 'node:assert/strict'
import test from 'node:test'
import { parse } from 'yaml'
import { guideStyles } from '#adopt/conversion/guide-styles.ts'
import { describeProject } from '#adopt/describe.ts'
import type { PageHead } from '#adopt/pages/page.ts'
import type { FoundStyle } from '#brand/tokens/found-styles.ts'
import { sourceEntry } from './source-entry.ts'

const color = (name: string, hex: string) => ({ name, fields: new Map([['hex', hex]]) })
const INK = color('ink', '#101820')

/** A drawing with these paints, on a ground of its own if it has one. */
const drawing = (paints: readonly string[], ground = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${ground && `<rect width="40" height="40" fill="${ground}"/>`}${paints
    .map((paint, at) => `<circle cx="${12 + 16 * at}" cy="20" r="6" fill="${paint}"/>`)
    .join('')}</svg>`
const DARK = drawing(['#123456'])

/** A file that is placed below `files/` as it was. */
function plan(path: string, content = '') {
  return { entry: sourceEntry(path, content), to: `files/${path}` }
}

const SITE = { listed: [], faces: [], logos: [], darkLogos: [], icons: [], pages: [], all: [] }

/** Describes files, and gives both lists as values. */
async function described(
  files: readonly ReturnType<typeof plan>[],
  { name = 'Acme', colors = [INK], uses = {}, parts = [] }: Partial<Given> = {},
) {
  const all = [...files, ...parts].map(({ entry }) => entry)
  const styles = guideStyles([{ colors, types: [], notes: new Map() }])
  assert.ok(styles.ok)
  const { texts, notes } = await describeProject(files, styles.value, { ...SITE, name, all, ...uses })
  const dataOf = (path: string) => parse(texts.find(({ to }) => to === path)?.content ?? '')
  return { theme: dataOf('project.yaml').theme, files: dataOf('files/files.yaml'), notes }
}

type Given = {
  name: string
  colors: FoundStyle[]
  uses: object
  parts: ReturnType<typeof plan>[]
}

const FILES = [
  plan('logos/acme_logo.svg', DARK),
  plan('logos/acme_logo.png'),
  plan('logos/acme_logo-512.png'),
  plan('logos/acme-mark-white.svg', drawing(['#fff'])),
  plan('logos/hidden.svg', drawing(['#FFF', 'white'])),
  plan('logos/acme-white-on-box.svg', drawing(['#fff'], '#c00')),
  plan('logos/acme-mark-negative.eps'),
  ...['icon-32x32', 'icon-512x512', 'report-2025', 'report-2026'].map(name => plan(`icons/${name}.png`)),
  plan('icons/Sticker_A.png'),
  plan('icons/sticker-a.svg', DARK),
  plan('0a1b2c3d4e5f.png'),
]

test('files have a title from their name, light artwork a dark ground by its pixels, and other sizes their original', async () => {
  const colors = [color('sun', '#ffd000'), INK, color('navy', '#14213d')]
  const { files, notes } = await described(FILES, { colors })
  assert.deepEqual(files, {
    'logos/acme_logo.svg': { title: 'Acme logo' },
    'logos/acme_logo-512.png': { variantOf: 'files/logos/acme_logo.svg' },
    'logos/acme-mark-white.svg': { title: 'Acme mark white', ground: 'ink' },
    'logos/hidden.svg': { title: 'Hidden', ground: 'ink' },
    'logos/acme-white-on-box.svg': { title: 'Acme white on box' },
    'logos/acme-mark-negative.eps': { title: 'Acme mark negative' },
    'icons/icon-32x32.png': { variantOf: 'files/icons/icon-512x512.png' },
    'icons/icon-512x512.png': { title: 'Icon' },
    'icons/Sticker_A.png': { title: 'Sticker A' },
    'icons/sticker-a.svg': { variantOf: 'files/icons/Sticker_A.png' },
    'icons/report-2025.png': { title: 'Report 2025' },
    'icons/report-2026.png': { title: 'Report 2026' },
  })
  assert.deepEqual(notes.guessed.filter(({ key }) => key === 'ground')[0], {
    path: 'logos/acme-mark-white.svg',
    key: 'ground',
    value: 'ink',
    why: 'white artwork on the darkest colour',
  })
})

test('without a dark colour, light artwork is in the report', async () => {
  const { files, notes } = await described(FILES, { colors: [color('fire', '#e4002b')] })
  assert.doesNotMatch(JSON.stringify(files), /ground/)
  const paths = notes.lost.map(({ path }) => path)
  assert.deepEqual(paths, ['logos/acme-mark-white.svg', 'logos/hidden.svg'])
})

const HEAD: PageHead = { logos: [], icons: [], nav: [] }

test('what a source uses itself is its logo: settings, the header of its pages, then the parts of its website', async () => {
  const files = [
    plan('a/acme-logo.svg', DARK),
    plan('a/b.svg', DARK),
    plan('a/c.svg', DARK),
    plan('a/acme-mark.svg', DARK),
    plan('fav-16.png', ''),
    plan('fav-180.png', ''),
  ]
  const entry = { ...plan('sub/index.html').entry }
  const head = { ...HEAD, logos: ['../a/b.svg'], icons: ['/fav-16.png', '/fav-180.png'] }
  const parts = [plan('src/components/Header.jsx', "import logo from '../../a/acme-mark.svg'")]
  const uses = { logos: ['a/c.svg'], pages: [{ entry, page: { head } }] }
  const { theme, notes } = await described(files, { uses, parts })
  assert.deepEqual(theme, { logo: 'files/a/c.svg', icon: 'files/fav-180.png', accent: 'ink' })
  assert.deepEqual(
    notes.guessed.find(({ key }) => key === 'theme.logo'),
    {
      path: 'a/c.svg',
      key: 'theme.logo',
      value: 'files/a/c.svg',
      why: 'the settings say so',
      candidates: ['files/a/b.svg', 'files/a/acme-mark.svg'],
    },
  )
  assert.equal((await described(files, { uses: { pages: uses.pages }, parts })).theme.logo, 'files/a/b.svg')
  assert.equal((await described(files, { parts })).theme.logo, 'files/a/acme-mark.svg')
})

/** The logo, the name of the guide and the paths of the source. */
const NAMED: readonly (readonly [logo: string, name: string, paths: readonly string[]])[] = [
  ['heron-logos/icon/Heron_Icon.svg', 'Heron Branding', ['projects/Vole/Logo.svg', 'heron-logos/icon/Heron_Icon.svg']],
  ['nycc-wordmark-blue.svg', 'NYC Council', ['nycc-wordmark-blue.svg', 'seal-wordmark.svg']],
  ['a/heron-icon-wordmark-horz.svg', 'Heron', ['a/heron-wordmark.svg', 'a/heron-icon-wordmark-horz.svg']],
  ['logos/full.svg', 'Heron', ['logos/black.svg', 'logos/full.svg', 'logos/vertical.svg']],
  [
    'img/logo/logo-primary.svg',
    'Guide',
    ['img/logo/logo-misuse.svg', 'img/logo/logo-marks.svg', 'img/logo/logo-primary.svg'],
  ],
  ['static/jfm-logo.svg', 'JFM Brand Guide', ['src/logo-kaldi.svg', 'static/gatsby-logo.svg', 'static/jfm-logo.svg']],
  [
    'img/nycc-wordmark.svg',
    'New York City Council',
    ['img/logo-cc-by.svg', 'img/nycc-wordmark.svg', 'logo-github.svg'],
  ],
  [
    '',
    'Heron',
    ['logos/dont/logo.svg', 'vole/logo.svg', 'img/vole-logo.svg', 'badges/logo.svg', 'heron-mark-wrong.svg'],
  ],
]

test('without such a use the name of the brand and the words of paths decide, or the name is set as text', async () => {
  for (const [logo, name, paths] of NAMED) {
    const { theme, notes } = await described(
      paths.map(path => plan(path, DARK)),
      { name },
    )
    const value = notes.guessed.find(({ key }) => key === 'theme.logo')?.value
    assert.deepEqual([value, theme.logo ?? ''], logo === '' ? ['', ''] : [`files/${logo}`, `files/${logo}`])
  }
})

test('light artwork is the logo of dark pages, and never that of light ones', async () => {
  const files = [
    plan('logos/acme-logo-white.svg', drawing(['#fff'])),
    plan('logos/acme-logo.svg', drawing(['#fff', '#8BC751'])),
  ]
  const { theme } = await described(files)
  assert.deepEqual(theme, { accent: 'ink', dark: 'auto' })
  const both = await described([...files, plan('logos/acme-logo-black.svg', DARK)])
  assert.equal(both.theme.logo, 'files/logos/acme-logo-black.svg')
  assert.ok(['files/logos/acme-logo-white.svg', 'files/logos/acme-logo.svg'].includes(both.theme.logoDark))
})

test('project.yaml has the name and the contact that the source says', async () => {
  const facts = { name: 'Acme & Co: "brand"', contact: 'brand@acme.example' }
  const { texts } = await describeProject([], { colors: [], types: [] }, { ...SITE, ...facts })
  assert.deepEqual(
    texts.map(({ content }) => parse(content)),
    [{ ...facts, visibility: 'private' }],
  )
})
