import assert from 'node:assert/strict'
import test from 'node:test'
import { parse } from 'yaml'
import { describeProject } from '#adopt/describe.ts'

const FACTS = { name: undefined }
const color = (id: string, hex: string) => ({ id, hex })

/** A file that is placed below `files/` as it was. */
function plan(path: string, content = '') {
  const bytes = Buffer.from(content)
  const entry = { path, label: '', size: bytes.length, read: async () => bytes, copyTo: async () => undefined }
  return { entry, to: `files/${path}` }
}

const FILES = [
  plan('logos/acme_logo.svg', '<svg><path fill="#123456"/></svg>'),
  plan('logos/acme_logo.png'),
  plan('logos/acme_logo-512.png'),
  plan('logos/acme-mark-white.png'),
  plan('logos/hidden.svg', '<svg><path fill="#FFF"/><path stroke="white"/></svg>'),
  ...['icon-32x32', 'icon-512x512', 'report-2025', 'report-2026'].map(name => plan(`icons/${name}.png`)),
  plan('icons/Sticker_A.png'),
  plan('icons/sticker-a.svg'),
  plan('fonts/Acme.woff2'),
  plan('0a1b2c3d4e5f.png'),
]

test('files have a title from their name, white artwork a dark ground, and other sizes their original', async () => {
  const colors = [color('sun', '#ffd000'), color('ink', '#101820'), color('navy', '#14213d')]
  const { filesYaml = '', notes } = await describeProject(FACTS, FILES, { colors })
  assert.deepEqual(parse(filesYaml), {
    'logos/acme_logo.svg': { title: 'Acme logo' },
    'logos/acme_logo-512.png': { variantOf: 'files/logos/acme_logo.svg' },
    'logos/acme-mark-white.png': { title: 'Acme mark white', ground: 'ink' },
    'logos/hidden.svg': { title: 'Hidden', ground: 'ink' },
    'icons/icon-32x32.png': { variantOf: 'files/icons/icon-512x512.png' },
    'icons/icon-512x512.png': { title: 'Icon' },
    'icons/Sticker_A.png': { title: 'Sticker A' },
    'icons/sticker-a.svg': { variantOf: 'files/icons/Sticker_A.png' },
    'icons/report-2025.png': { title: 'Report 2025' },
    'icons/report-2026.png': { title: 'Report 2026' },
  })
  assert.deepEqual(notes.guessed.filter(({ key }) => key === 'ground')[0], {
    path: 'logos/acme-mark-white.png',
    key: 'ground',
    value: 'ink',
    why: 'white artwork on the darkest colour',
  })
})

test('without a dark colour, white artwork is in the report', async () => {
  const { filesYaml = '', notes } = await describeProject(FACTS, FILES, { colors: [] })
  assert.doesNotMatch(filesYaml, /ground/)
  const paths = notes.lost.map(({ path }) => path)
  assert.deepEqual(paths, ['logos/acme-mark-white.png', 'logos/hidden.svg'])
})

test('a logo for a coloured header is none for a white one', async () => {
  const drawing = '<svg><path fill="#fff"/><circle fill="#8BC751"/></svg>'
  const files = [plan('logos/mark@2x.png'), plan('logos/mark.svg', drawing)]
  const {
    projectYaml,
    filesYaml = '',
    notes,
  } = await describeProject({ ...FACTS, logo: 'logos/mark.svg' }, files, {
    colors: [color('ink', '#101820')],
  })
  assert.equal(parse(projectYaml).theme, undefined)
  assert.deepEqual(parse(filesYaml), {
    'logos/mark@2x.png': { title: 'Mark', ground: 'ink' },
    'logos/mark.svg': { ground: 'ink' },
  })
  assert.deepEqual(notes.lost, [
    { path: 'logos/mark.svg', line: 1, what: 'white logo for a coloured header', text: 'files/logos/mark.svg' },
  ])
})

test('project.yaml has the name, the logo and the contact that the source says', async () => {
  const facts = { ...FACTS, name: 'Acme & Co: "brand"', logo: 'logos/acme_logo.svg', contact: 'brand@acme.example' }
  const { projectYaml } = await describeProject(facts, FILES, { colors: [] })
  assert.deepEqual(parse(projectYaml), {
    name: 'Acme & Co: "brand"',
    visibility: 'private',
    contact: 'brand@acme.example',
    theme: { logo: 'files/logos/acme_logo.svg' },
  })
})
