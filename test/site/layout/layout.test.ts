import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openMediaReader } from '#intake/media/media.ts'
import { importFolder } from '#publishing/import/import.ts'
import { wordsFor } from '#site/words/words.ts'
import { findEditLinks } from '#store/catalogue/edit-links.ts'
import { guidePages } from '../../support/guide-addresses.ts'
import { servedBrand, testService } from '../../support/service.ts'
import { writeFolder } from '../../support/temporary.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
const { ask, follow } = await testService(temporary)

test('the link preview of a page has the page’s first picture in a widely supported format', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  )
  const { ask } = await servedBrand({
    'guide/pages/index.md': '![Mark](mark.svg)\n\n![Shelf](shelf.png "On a shelf")\n\n![Box](box.png)\n',
    'guide/pages/plain.md': '![Mark](mark.svg)\n',
    'guide/pages/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    'guide/pages/shelf.png': png,
    'guide/pages/box.png': Buffer.concat([png, Buffer.from('x')]),
  })
  const { text } = await ask('/acme/guide')
  const [, image] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? []
  assert.match(image ?? '', /^http:\/\/brand\.test\/acme\/guide\/-\/files\/[\w-]+\/shelf\.png$/)
  assert.equal((await ask(new URL(image ?? '').pathname)).status, 200)
  assert.doesNotMatch((await ask('/acme/guide/plain')).text, /og:image/)
})

test('the link preview of a page without a picture has the logo of the guide on the ground of the page', async () => {
  const { ask } = await servedBrand({
    'guide/project.yaml': 'visibility: public\ntheme: { logo: files/logo.svg }\n',
    'guide/styles/colors.yaml': '- { name: Sand, hex: "#f0e0c0" }\n- { name: Ink, hex: "#14202b" }\n',
    'guide/files/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h4v9z"/></svg>',
    'guide/pages/sand.md': '---\nground: sand\n---\n# Sand\n',
    'guide/pages/ink.md': '---\nground: ink\n---\n# Ink\n',
  })
  for (const [page, ground] of [
    ['sand', '&#38;ground=f0e0c0'],
    ['ink', ''],
  ]) {
    const [, image = ''] =
      /<meta property="og:image" content="([^"]+)">/.exec((await ask(`/acme/guide/${page}`)).text) ?? []
    assert.match(image, new RegExp(`/logo\\.svg\\.png\\?width=1024${ground}$`))
    const { pathname, search } = new URL(image.replace('&#38;', '&'))
    assert.equal((await ask(`${pathname}${search}`)).status, 200)
  }
})

const FILES = {
  'guide/project.yaml': 'name: Leitfaden\nlang: de\nvisibility: public\n',
  'guide/pages/a.md':
    '# A\n\n## B\n\n| c |\n|-|\n| d |\n\n## E\n\n- [ ] f\n\n![](https://example.org/a.png) g[^1]\n\n[^1]: h\n',
  'guide/pages/a/b.md': '# B\n',
  'guide/pages/i.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'guide/styles/colors.yaml': '- name: Tinte\n  hex: "#14202b"\n  pms: 285 C\n- name: Papier\n  hex: "#fff"\n',
  'guide/styles/types.yaml':
    '- name: T\n  family: Nirgends\n  size: 1.5\n  spacing: 1\n  casing: uppercase\n  responsive: true\n',
  'guide/files/a.pdf': '%PDF-1.7\n',
  'guide/files/b.css': 'a {}\n',
}

const PATHS = [
  ...guidePages({ page: 'a', color: 'tinte', list: 'fonts', path: 'a.pdf', name: 'nirgends' }),
  '/nichts',
  '/-/search?q=tinte',
  '/-/search?q=nichts',
]

test('every word of the website on the pages of a guide is in the guide’s language', async () => {
  const { ask } = await servedBrand(FILES)
  const [german, english] = [staticTexts(wordsFor('de')), staticTexts(wordsFor('en'))]
  const foreign = english.filter(text => !german.includes(text))
  for (const path of PATHS) {
    const { text } = await ask(`/acme/guide${path}`, { headers: { accept: 'text/html' } })
    assert.match(text, /<html lang="de">/)
    assert.match(text, /<p>Revision 1, veröffentlicht am <time datetime="[^"]+">\d+\. \p{L}+ \d{4}<\/time><\/p>/u)
    const seen = [...text.matchAll(/>([^<]+)|(?:aria-label|placeholder|data-\w+)="([^"]+)"/g)]
    const shown = seen.map(([, inside, attribute]) => (inside ?? attribute ?? '').trim())
    const unexpected = shown.filter(text => foreign.includes(text))
    assert.deepEqual(unexpected, [], path)
  }
})

test('every English word on the pages of a guide in a language without a table is marked as English', async () => {
  const { ask } = await servedBrand({ ...FILES, 'guide/project.yaml': 'lang: pl\nvisibility: public\n' })
  // The names of values, such as RGB, are no English words.
  const everywhere = new Set(staticTexts(wordsFor('de')))
  const english = staticTexts(wordsFor('en')).filter(text => !everywhere.has(text))
  for (const path of PATHS) {
    const { text } = await ask(`/acme/guide${path}`, { headers: { accept: 'text/html' } })
    assert.match(text, /<html lang="pl">/)
    assert.match(text, /<a class="skip" href="#Content"><bdi lang="en" dir="ltr">Skip to content<\/bdi><\/a>/)
    assert.doesNotMatch(text, /\[object|="[^"]*&#60;bdi/, path)
    const body = text.slice(text.indexOf('<body'))
    const unmarked = [...body.matchAll(/<\w+([^>]*)>([^<]+)/g)].filter(
      ([, attributes]) => !attributes?.includes('lang="en"'),
    )
    const unexpected = unmarked.map(([, , inside]) => inside?.trim() ?? '').filter(inside => english.includes(inside))
    assert.deepEqual(unexpected, [], path)
  }
  const { text } = await ask('/acme/guide/a')
  assert.match(text, /<h2 [^>]*lang="en"[^>]*>Footnotes<\/h2>/)
})

test('a guide in a language that runs from right to left has that direction on every page', async () => {
  const { ask } = await servedBrand({
    'guide/project.yaml': 'lang: ar\nvisibility: public\n',
    'guide/pages/a.md': '---\nground: layl\n---\n# Saba\n\nنص.\n',
    'guide/styles/colors.yaml': '- { name: Layl, hex: "#14302b", proportion: 60 }\n',
  })
  for (const path of ['', '/a', '/-/colors', '/-/search', '/nowhere']) {
    const { text } = await ask(`/acme/guide${path}`, { headers: { accept: 'text/html' } })
    assert.match(text, /<html lang="ar" dir="rtl">/, path)
    assert.doesNotMatch(text, /dir="auto"/, path)
  }
  const german = await servedBrand(FILES)
  const { text } = await german.ask('/acme/guide/a')
  assert.match(text, /<html lang="de">.*<article class="prose grid" dir="auto">/s)
})

/** The words of a table without arguments. */
function staticTexts(table: object): string[] {
  return Object.values(table).flatMap(value => {
    if (typeof value === 'object' && value !== null) return staticTexts(value)
    return typeof value === 'string' && value.length > 2 ? [value] : []
  })
}

test('the footer of a page has the contact and the links of the guide', async () => {
  const contacts = {
    'brand@acme.example': '<a href="mailto:brand@acme.example">brand@acme.example</a>',
    'mailto:a@acme.example?subject=Logo': '<a href="mailto:a@acme.example?subject=Logo">a@acme.example</a>',
    'https://acme.example/help/':
      '<a href="https://acme.example/help/" rel="noopener noreferrer">acme.example/help</a>',
    'Nora, <b>third</b> floor': '<bdi>Nora, &#60;b&#62;third&#60;/b&#62; floor</bdi>',
  }
  for (const [contact, shown] of Object.entries(contacts)) {
    const footer = 'footer:\n  - { name: "A & B", url: "https://acme.example/a" }\n'
    const settings = `visibility: public\ncontact: ${JSON.stringify(contact)}\n${footer}`
    const { ask } = await servedBrand({ 'guide/project.yaml': settings, 'guide/pages/index.md': '# A\n' })
    const { text } = await ask('/acme/guide')
    assert.ok(text.includes(`<p>Contact: ${shown}</p>`), text.slice(text.indexOf('<footer>')))
    assert.match(text, /<li><a href="https:\/\/acme.example\/a" rel="noopener noreferrer">A &#38; B<\/a><\/li>/)
  }
})

test('a page has its short name in lists, and links to neighbours, which name another section, and the home page has none', async () => {
  const { ask } = await servedBrand({
    'guide/pages/index.md': '# Home\n',
    'guide/pages/a.md': '# A\n',
    'guide/pages/a/b.md': '---\nnav: Short\n---\n# A very long name\n',
    'guide/pages/c/d.md': '# D\n',
    'guide/pages/e.md': '# E\n',
  })
  const { text } = await ask('/acme/guide/a/b')
  assert.match(text, /<a href="\/acme\/guide\/a\/b" aria-current="page">Short<\/a>/)
  assert.match(text, /<a rel="prev" href="\/acme\/guide\/a"><span class="quiet">Previous<\/span> A<\/a>/)
  assert.match(text, /<a rel="next" href="\/acme\/guide\/c\/d"><span class="quiet">Next · C<\/span> D<\/a>/)
  const { text: next } = await ask('/acme/guide/e')
  assert.match(next, /<span class="quiet">Previous · C<\/span> D<\/a>/)
  assert.doesNotMatch((await ask('/acme/guide')).text, /class="neighbours"/)
  assert.match((await ask('/acme/guide/-/pages')).text, /<a href="\/acme\/guide\/a\/b">Short<\/a>/)
})

test('only search, links and the list of all pages lead to a page with nav: false', async () => {
  const { ask } = await servedBrand({
    'guide/pages/index.md': '# Home\n',
    'guide/pages/logo.md': '# Logo\n',
    'guide/pages/logo/old.md': '---\nnav: false\n---\n# Old logo\n',
    'guide/pages/type.md': '---\nnav: false\n---\n# Typography\n',
    'guide/pages/type/scale.md': '# Scale\n',
    'guide/styles/types.yaml': '- { id: body, name: Body, family: Acme Sans, size: 16 }\n',
  })
  for (const below of ['', '/logo'])
    assert.doesNotMatch((await ask(`/acme/guide${below}`)).text, /Old logo|href="\/acme\/guide\/type"/, below)
  const { text } = await ask('/acme/guide/logo/old')
  assert.match(text, /<nav class="trail".*?<a href="\/acme\/guide\/logo">Logo<\/a>.*?<h1 id="old-logo">Old logo/s)
  assert.doesNotMatch(text, /class="neighbours"/)
  assert.match(text, /<a href="\/acme\/guide\/-\/type">Type</)
  for (const below of ['/-/pages', '/llms.txt'])
    assert.match((await ask(`/acme/guide${below}`)).text, /Old logo/, below)
})

const TEMPLATE = 'https://github.com/acme/brand/edit/main/brand/{path}'
const GUIDE = {
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/index.md': '# Welcome\n',
  'guide/pages/Clear space/index.md': '# Space & more\n',
  'guide/pages/moved.md': '---\nid: logo/misuse\n---\n\n# Misuse\n',
  'guide/styles/colors.yaml': '- name: Ink\n  hex: "#000000"\n',
  'guide/styles/types.yaml': '- name: Body\n',
}
const LINK = /<p class="edit quiet"><a href="(.*?)" rel="nofollow noopener noreferrer">(.*?)<\/a><\/p>/

/** The target and the text of the edit link of a page. */
async function linkOn(path: string): Promise<string[] | undefined> {
  const { status, text } = await ask(`/acme/guide${path}`)
  assert.equal(status, 200)
  return LINK.exec(text)?.slice(1)
}

test('the edit link of a workspace is on its pages and on the pages of colours and type, and changes no snapshot', async () => {
  const [plain] = (await temporary.importing('acme', GUIDE)).projects
  await temporary.publish('acme/guide')
  await follow()
  for (const path of ['', '/clear-space', '/-/colors', '/-/type']) assert.equal(await linkOn(path), undefined)
  const [linked] = (await temporary.importing('acme', { ...GUIDE, 'workspace.yaml': `edit: ${TEMPLATE}\n` })).projects
  assert.deepEqual([linked?.snapshot, linked?.changed], [plain?.snapshot, false])
  await follow()
  const base = TEMPLATE.replace('{path}', 'guide')
  assert.deepEqual(await linkOn(''), [`${base}/pages/index.md`, 'Edit this page'])
  assert.equal((await linkOn('/clear-space'))?.[0], `${base}/pages/Clear%20space/index.md`)
  assert.equal((await linkOn('/logo/misuse'))?.[0], `${base}/pages/moved.md`)
  assert.equal((await linkOn('/-/colors'))?.[0], `${base}/styles/colors.yaml`)
  assert.equal((await linkOn('/-/type'))?.[0], `${base}/styles/types.yaml`)
  assert.doesNotMatch((await ask('/acme/guide/-/files')).text, /class="edit /)
})

test('the edit link follows a moved file and a new address, is in the language of the guide, and ends with its setting', async () => {
  const edit = 'https://git.example/edit?file={path}&copy={path}'
  const files = {
    ...GUIDE,
    'workspace.yaml': `edit: ${edit}\n`,
    'guide/project.yaml': 'visibility: public\nlang: de\n',
    'guide/pages/moved.md': '---\nid: old\n---\n\n# Old\n',
    'guide/pages/logo/misuse.md': '# Misuse\n',
  }
  await temporary.publishing('acme/guide', files)
  await follow()
  const path = 'guide/pages/logo/misuse.md'
  assert.deepEqual(await linkOn('/logo/misuse'), [
    `https://git.example/edit?file=${path}&#38;copy=${path}`,
    'Diese Seite bearbeiten',
  ])
  await temporary.importing('acme', { ...files, 'workspace.yaml': 'edit: true\n' })
  await follow()
  assert.equal(await linkOn('/logo/misuse'), undefined)
})

test('with edit: true, the link is the one that follows from the repository, and no snapshot changes', async () => {
  const media = openMediaReader()
  const { signal } = new AbortController()
  const caps = { maxFile: 1 << 20, maxItems: 100 }
  const read = { media, caps, signal, progress: () => undefined, isDryRun: false, now: () => new Date() }
  const folder = join(temporary.folder, 'acme')
  const results = []
  for (const edit of ['true', '" true "']) {
    await writeFolder(folder, { 'workspace.yaml': `edit: ${edit}\n` })
    results.push(
      (await importFolder(temporary.store, folder, { ...read, derivedEdit: TEMPLATE })).projects[0]?.snapshot,
    )
    await follow()
    assert.equal((await linkOn(''))?.[0], TEMPLATE.replace('{path}', 'guide/pages/index.md'))
    const links = await findEditLinks(temporary.store.database, { workspace: 'acme', project: 'guide' })
    assert.deepEqual(links, {
      template: TEMPLATE,
      folder: 'guide',
      pages: { 'clear-space': 'pages/Clear space/index.md', old: 'pages/moved.md' },
    })
  }
  await media.close()
  assert.equal(results[0], results[1])
})
