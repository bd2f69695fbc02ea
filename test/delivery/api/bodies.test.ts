import assert from 'node:assert/strict'
import test from 'node:test'
import { createAddresses } from '#serving/addresses.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import type { Contents } from '../../support/temporary.ts'
import { SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n'

/** A guide without keys that only affect the website and exports. */
const PLAIN_GUIDE: Contents = {
  'guide/project.yaml': 'name: Guide\n',
  'guide/pages/index.md': '---\ntitle: Welcome\n---\n# Welcome\n',
  'guide/styles/colors.yaml':
    '- {name: Ink, hex: "14212b"}\n- {name: Paper, hex: faf7f2}\n- {name: Mist, hex: c9d0d6}\n',
  'guide/styles/types.yaml': '- {name: Heading, size: 40}\n',
  'guide/files/mark.svg': SVG,
  'guide/files/mark-white.svg': SVG,
}

/** The same guide with all of these keys. */
const THEMED_GUIDE: Contents = {
  ...PLAIN_GUIDE,
  'guide/project.yaml': `name: Guide
theme:
  logo: files/mark.svg
  logoDark: files/mark-white.svg
  icon: files/mark.svg
  accent: ink
  ground: paper
  text: ink
  heading: heading
  body: heading
  corners: soft
  dark: off
  download: files/mark.svg
socialImage: files/mark.svg
contact: brand@acme.example
footer: [{ name: Acme, url: https://acme.example }]
nav: sections
office: { major: Arial, minor: Georgia }
`,
  'guide/pages/index.md':
    '---\ntitle: Welcome\ncover: { image: ../files/mark.svg, focus: 70% 30%, fit: whole, text: dark }\nground: paper\nwide: true\nnav: Start\n---\n# Welcome\n',
  'guide/styles/colors.yaml':
    '- {name: Ink, hex: "14212b", group: Core, use: Text, on: paper, proportion: 20}\n- {name: Paper, hex: faf7f2}\n- {name: Mist, hex: c9d0d6, tintOf: ink}\n',
  'guide/styles/types.yaml':
    '- {name: Heading, size: 40, weight: 600, style: normal, fallback: Arial, sample: Sharp}\n',
  'guide/files/files.yaml':
    'mark-white.svg: { title: The white mark, ground: ink, variantOf: mark.svg, library: true, order: 2, medium: [print, screen], minWidth: 24, clearSpace: 0.5, clearSpaceOf: the letter, licence: CC BY 4.0, territory: Europe, until: 2099-11-29 }\n',
}

const IMPORTED = new Date('2026-01-02T03:04:05.006Z')
const PUBLISHED = new Date('2026-02-03T04:05:06.070Z')
const EDITED = new Date('2026-03-04T05:06:07.800Z')

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND, IMPORTED)
for (const place of ['acme/guidelines', 'acme/empty']) await temporary.publish(place, PUBLISHED)
const { token } = await temporary.issue('acme')
const { ask, follow } = await testService(temporary)
const project = '/beta/workspace/acme/project/guidelines'
const markSource = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n'

async function body(target: string): Promise<unknown> {
  const { status, headers, text } = await ask(target, { token })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json')
  return JSON.parse(text)
}

async function files(): Promise<Record<string, unknown>[]> {
  const list = await body(`${project}/files`)
  assert.ok(typeof list === 'object' && list !== null && 'files' in list && Array.isArray(list.files))
  return list.files
}

test('getWorkspace returns the workspace and its name', async () => {
  assert.deepEqual(await body('/beta/workspace/acme'), { workspace: 'acme', name: 'Acme GmbH' })
})

test('listProjects lists the published projects by name', async () => {
  assert.deepEqual(await body('/beta/workspace/acme/projects'), {
    workspace: 'acme',
    projects: [
      { id: 'empty', name: 'An empty one' },
      { id: 'guidelines', name: 'Brand guidelines' },
    ],
  })
})

test('listProjects sorts projects naturally: numbers by value, letters regardless of case and accents, then by id', async () => {
  const names = 'Guide 10|guide 2|Éclair|eclat|Zebra|apple|Echo|GUIDE 2|Ångström|2026|10'.split('|')
  const sorted = await temporaryStore()
  const folder = Object.fromEntries(names.map((name, at) => [`p${10 - at}/project.yaml`, `name: "${name}"\n`]))
  await sorted.importing('sorted', folder)
  for (const at of names.keys()) await sorted.publish(`sorted/p${10 - at}`)
  const { ask: askSorted } = await testService(sorted)
  const { token: forAll } = await sorted.issue('sorted')
  const { projects } = JSON.parse((await askSorted('/beta/workspace/sorted/projects', { token: forAll })).text)
  const seen = projects.map(({ id, name }: { id: string; name: string }) => `${name} ${id}`)
  assert.deepEqual(seen, [
    '10 p0',
    '2026 p1',
    'Ångström p2',
    'apple p5',
    'Echo p4',
    'Éclair p8',
    'eclat p7',
    'GUIDE 2 p3',
    'guide 2 p9',
    'Guide 10 p10',
    'Zebra p6',
  ])
})

test('listProjects lists only the projects that the token covers, or an empty list', async () => {
  const { token: one } = await temporary.issue('acme', { projects: ['guidelines', 'hidden'] })
  const { text: seen } = await ask('/beta/workspace/acme/projects', { token: one })
  assert.deepEqual(JSON.parse(seen), {
    workspace: 'acme',
    projects: [{ id: 'guidelines', name: 'Brand guidelines' }],
  })
  const { token: none } = await temporary.issue('acme', { projects: ['hidden'] })
  const { text: unseen } = await ask('/beta/workspace/acme/projects', { token: none })
  assert.deepEqual(JSON.parse(unseen), { workspace: 'acme', projects: [] })
})

test('getProject returns the project with its status and dates, ISO 8601 in UTC with milliseconds', async () => {
  assert.deepEqual(await body(project), {
    workspace: 'acme',
    project: 'guidelines',
    name: 'Brand guidelines',
    status: 'UpToDate',
    createdAt: '2026-01-02T03:04:05.006Z',
    updatedAt: '2026-02-03T04:05:06.070Z',
    url: `${URL_OF_SERVICE}/acme/guidelines`,
    publishedAt: '2026-02-03T04:05:06.070Z',
  })
})

test('listPages lists the pages, the home page first', async () => {
  assert.deepEqual(await body(`${project}/pages`), {
    workspace: 'acme',
    project: 'guidelines',
    pages: [
      { id: 'index', name: 'Welcome' },
      { id: 'logo', name: 'Logo' },
      { id: 'logo/misuse', name: 'Misuse' },
      { id: '色', name: '色' },
    ],
  })
})

test('getPage returns the Markdown of a page, with absolute addresses for relative links', async () => {
  const mark = (await files()).find(({ filename }) => filename === 'mark.svg')
  assert.deepEqual(await body(`${project}/page/index`), {
    workspace: 'acme',
    project: 'guidelines',
    page: 'index',
    content: `# Welcome\n\n![The mark](${mark?.url}) and [the logo](${URL_OF_SERVICE}/acme/guidelines/logo "Logo").\n`,
  })
})

test('the content of a page begins after the line end of its front matter, and has only LF line ends', async () => {
  const expected = { workspace: 'acme', project: 'guidelines', page: 'logo', content: '\nÜber *alles*.\n' }
  assert.deepEqual(await body(`${project}/page/logo`), expected)
})

for (const path of ['logo%2Fmisuse', 'logo/misuse', 'logo%2fmisuse', '%6Cogo/misuse'])
  test(`page logo/misuse is found at ${path}, and the reply repeats the decoded id`, async () => {
    assert.deepEqual(await body(`${project}/page/${path}`), {
      workspace: 'acme',
      project: 'guidelines',
      page: 'logo/misuse',
      content: `# Misuse\n\nBack [home](${URL_OF_SERVICE}/acme/guidelines).\n`,
    })
  })

for (const path of ['%E8%89%B2', '%e8%89%b2', Buffer.from('色').toString('latin1')])
  test(`page 色 is found at ${JSON.stringify(path)}`, async () => {
    const expected = { workspace: 'acme', project: 'guidelines', page: '色', content: '# 色\n' }
    assert.deepEqual(await body(`${project}/page/${path}`), expected)
  })

test('getStyles lists colours and type styles as written, and omits absent values', async () => {
  assert.deepEqual(await body(`${project}/styles`), {
    workspace: 'acme',
    project: 'guidelines',
    colors: [
      {
        id: 'blue',
        name: 'Blue',
        rgb: '29,112,184',
        cmyk: '84,39,0,28',
        hex: '#1d70b8',
        pms: '285 C',
        pms2: '2172 U',
        ral: 5015,
      },
      { id: 'ink', name: 'Ink', rgb: '11,12,12', hex: '#0b0c0c' },
    ],
    types: [
      {
        id: 'heading',
        name: 'Heading',
        family: 'Acme Sans',
        size: 32,
        leading: 1.25,
        tracking: -0.01,
        casing: 'uppercase',
        spacing: 0.5,
        responsive: true,
        features: { tnum: 1, liga: 0 },
      },
      { id: 'body', name: 'Body', casing: 'none', responsive: false, features: {} },
    ],
  })
})

test('listFiles lists the files by path, each with its address', async () => {
  const addresses = createAddresses(URL_OF_SERVICE, temporary.store.identity.fileSecret)
  assert.equal(addresses.project({ workspace: 'acme', project: 'guidelines' }), `${URL_OF_SERVICE}/acme/guidelines`)
  const list = await files()
  for (const { url, filename } of list)
    assert.match(String(url), new RegExp(`^${URL_OF_SERVICE}/acme/guidelines/-/files/[\\w-]{32}/${filename}$`))
  const rests = list.map(({ url, ...rest }) => rest)
  assert.deepEqual(rests, [
    { filename: 'notes.txt', size: 7, contentType: 'text/plain' },
    {
      filename: 'pixel.png',
      size: 70,
      contentType: 'image/png',
      metadata: { width: 1, height: 1, description: 'One pixel' },
    },
    {
      filename: 'mark.svg',
      size: markSource.length,
      contentType: 'image/svg+xml',
      metadata: { width: 24, height: 12, description: 'The mark' },
    },
  ])
})

test('lists without entries are empty lists', async () => {
  const place = { workspace: 'acme', project: 'empty' }
  const empty = '/beta/workspace/acme/project/empty'
  assert.deepEqual(await body(`${empty}/pages`), { ...place, pages: [] })
  assert.deepEqual(await body(`${empty}/styles`), { ...place, colors: [], types: [] })
  assert.deepEqual(await body(`${empty}/files`), { ...place, files: [] })
})

test('importing a changed draft changes only status and updatedAt in getProject', async () => {
  const targets = ['', '/pages', '/page/index', '/page/logo', '/styles', '/files'].map(path => project + path)
  const before = await Promise.all(targets.map(body))
  const contents = {
    'guidelines/project.yaml': 'name: Another name\n',
    'guidelines/pages/logo.md': '# Another\n',
    'guidelines/styles/colors.yaml': '[]\n',
    'guidelines/files/notes.txt': 'Other notes.\n',
  }
  await temporary.importing('acme', contents, EDITED)
  await follow()
  const after = await Promise.all(targets.map(body))
  assert.deepEqual(after[0], { ...Object(before[0]), status: 'Changed', updatedAt: '2026-03-04T05:06:07.800Z' })
  assert.deepEqual(after.slice(1), before.slice(1))
  const { text } = await ask('/beta/workspace/acme/projects', { token })
  assert.match(text, /Brand guidelines/)
})

const DATE = new Date('2026-01-02T03:04:05.006Z')
const PATHS = ['', '/pages', '/page/index', '/styles', '/files'].map(
  path => `/beta/workspace/acme/project/guide${path}`,
)

test('data for only the website and exports does not change any reply', async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', PLAIN_GUIDE, DATE)
  const { token } = await temporary.issue('acme')
  const { ask, follow } = await testService(temporary)
  const replies: unknown[] = []
  const snapshots: string[] = []
  for (const contents of [PLAIN_GUIDE, THEMED_GUIDE]) {
    await temporary.publishing('acme/guide', contents, DATE)
    await follow()
    const answers = await Promise.all(PATHS.map(path => ask(path, { token })))
    for (const { status } of answers) assert.equal(status, 200)
    replies.push(answers.map(({ text }) => text))
    snapshots.push(answers[0]?.headers.get('housestyle-revision')?.slice(2) ?? '')
  }
  assert.notEqual(snapshots[0], snapshots[1])
  assert.deepEqual(replies[1], replies[0])
})
