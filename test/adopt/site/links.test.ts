import assert from 'node:assert/strict'
import test from 'node:test'
import { linkPages } from '#adopt/site/links.ts'
import { planPages } from '#adopt/site/page-paths.ts'
import type { SiteFacts } from '#adopt/sources/facts.ts'
import { generatorNamed, sourcePage } from './source-page.ts'

const FACTS: Partial<SiteFacts> = {
  generator: generatorNamed('Docusaurus'),
  root: 'docs',
  origin: 'https://acme.example',
  baseUrl: '/brand',
  publicRoots: ['static', 'src'],
}

const PAGES: Readonly<Record<string, string>> = {
  'docs/index.md': '# Home\n',
  'docs/01-logo.md': '# Logo\n\n## 1. Clear space\n\n## Größe\n',
  'docs/02-colour/README.md': '# Colour\n',
  'docs/02-colour/Print & Web.md': '# Print\n',
  'docs/type.md': '# Type\n',
}

const FILES = [
  'static/img/a b.svg',
  'docs/02-colour/caf\u00e9.png',
  'src/x (1).pdf',
  'logos/m.svg',
  'site/kit/print.pdf',
  'site/kit/a/web.pdf',
]

/** The address that a link on the page `docs/02-colour/page.md` has afterwards, and what is lost. */
function linked(markdown: string): { text: string; lost: string[]; guessed?: string[] } {
  const all = { ...PAGES, 'docs/02-colour/page.md': `# Page\n\n${markdown}\n` }
  const pages = Object.entries(all).map(([path, text]) => {
    const source = sourcePage(path, { aliases: path === 'docs/type.md' ? ['/fonts/'] : [] }, FACTS, { text })
    return { ...source, page: { ...source.page, lines: text.split('\n').map((_, at) => at + 11) } }
  })
  const { plans } = planPages(pages)
  const files = FILES.map(path => {
    const entry = { path, label: '', size: 0, read: async () => Buffer.from(''), copyTo: async () => undefined }
    return { entry, to: `files/${path.normalize('NFC')}` }
  })
  const { texts, notes } = linkPages(plans, files)
  const at = plans.findIndex(({ entry }) => entry.path === 'docs/02-colour/page.md')
  const text = (texts[at] ?? '').replace(/^# Page\n\n|\n$/g, '')
  const lost = notes.lost.map(({ line, what, text }) => `${line} ${what}: ${text}`)
  const guessed = notes.guessed.map(({ key, value }) => `${key} → ${value}`)
  return { text, lost, ...(guessed.length > 0 && { guessed }) }
}

const LEADS: readonly [written: string, becomes: string][] = [
  ['../01-logo.md', '../logo.md'],
  ['../logo', '../logo.md'],
  ['../../logo/', '../logo.md'],
  ['/logo', '../logo.md'],
  ['/brand/logo/', '../logo.md'],
  ['/brand/logo.html#gr%C3%B6%C3%9Fe', '../logo.md#gr%C3%B6%C3%9Fe'],
  ['https://acme.example/brand/logo', '../logo.md'],
  ['/@site/docs/01-logo.md', '../logo.md'],
  ['@site/docs/01-logo.md', '../logo.md'],
  ['~/logos/m.svg', '../../files/logos/m.svg'],
  ['/@wiki/Print-Web', 'Print%20%26%20Web.md'],
  ['/fonts', '../type.md'],
  ['../Type.MD', '../type.md'],
  ['./', 'index.md'],
  ['/', '../index.md'],
  ['Print%20&%20Web.md', 'Print%20%26%20Web.md'],
  ['<Print & Web.md>', '<Print%20%26%20Web.md>'],
  ['/@wiki/Print%20%26%20Web', 'Print%20%26%20Web.md'],
  ['/@wiki/01-logo#1. Clear space'.replaceAll(' ', '%20'), '../logo.md#1-clear-space'],
  ['../01-logo.md#clear-space', '../logo.md#1-clear-space'],
  ['#page', '#page'],
  ['/img/a%20b.svg', '../../files/static/img/a%20b.svg'],
  ['../../static/img/A%20b.svg?raw=true', '../../files/static/img/a%20b.svg'],
  ['/@wiki/a%20b.svg', '../../files/static/img/a%20b.svg'],
  ['cafe\u0301.png', '../../files/docs/02-colour/caf\u00e9.png'],
  ['/x%20(1).pdf', '../../files/src/x%20%281%29.pdf'],
  ['../../logos', '../../files/logos/'],
  ['https://acme.example/elsewhere', 'https://acme.example/elsewhere'],
  ['mailto:a@acme.example', 'mailto:a@acme.example'],
]

test('links lead from the new place of a page to where they led', () => {
  for (const [written, becomes] of LEADS)
    assert.deepEqual(linked(`[x](${written})`), { text: `[x](${becomes})`, lost: [] }, written)
})

test('pictures, references and HTML are links too, and code is none', () => {
  const markdown =
    '![x](/img/a%20b.svg) <img src="{{ site.baseurl }}/img/a b.svg">\n\n[x]: /logo "Title"\n\n`[x](/logo)`'
  const text =
    '![x](../../files/static/img/a%20b.svg) <img src="../../files/static/img/a%20b.svg">\n\n[x]: ../logo.md "Title"\n\n`[x](/logo)`'
  assert.deepEqual(linked(markdown), { text, lost: [] })
})

test('what leads nowhere is lost with its address and line, and stays as it is, apart from wiki links', () => {
  assert.deepEqual(
    linked('[a](gone.md#x) ![b](/img/gone.png)\n[c](../draft.md) [d](../logo.md#gone) [**e**](/@wiki/No%20page)'),
    {
      text: '[a](gone.md#x) ![b](/img/gone.png)\n[c](../draft.md) [d](../logo.md#gone) **e**',
      lost: [
        '13 link: gone.md#x',
        '13 picture: /img/gone.png',
        '14 link: ../draft.md',
        '14 link to a heading: ../logo.md#gone',
        '14 link: No page',
      ],
    },
  )
})

test('a path that leads nowhere beside its page may be one from the root, as tags of templates write them', () => {
  assert.deepEqual(linked('[x](logos/m.svg)'), { text: '[x](../../files/logos/m.svg)', lost: [] })
})

test('an address leads to the only file whose path ends with it, or with all but its first folder', () => {
  assert.deepEqual(linked('[x](/kit/print.pdf) [y](/cdn/kit/print.pdf) [z](/cdn/print.pdf)'), {
    text: '[x](../../files/site/kit/print.pdf) [y](../../files/site/kit/print.pdf) [z](/cdn/print.pdf)',
    lost: ['13 link: /cdn/print.pdf'],
    guessed: ['/kit/print.pdf → files/site/kit/print.pdf', '/cdn/kit/print.pdf → files/site/kit/print.pdf'],
  })
})

test('an address in the repository of the source leads to its file', () => {
  const at = 'https://github.com/acme/brand'
  const raw = 'https://raw.githubusercontent.com/acme/brand/main'
  assert.deepEqual(
    linked(
      `![x](${raw}/logos/m.svg) [x](${at}/blob/feature/x/docs/01-logo.md?plain=1#clear-space) [x](${at}/tree/main/logos) [x](https://gitlab.com/acme/brand/-/raw/main/logos/m.svg) [x](${at}/blob/main/gone.md)`,
    ),
    {
      text: `![x](../../files/logos/m.svg) [x](../logo.md#1-clear-space) [x](../../files/logos/) [x](https://gitlab.com/acme/brand/-/raw/main/logos/m.svg) [x](${at}/blob/main/gone.md)`,
      lost: [],
    },
  )
  const other = '[x](https://github.com/other/tool/blob/main/README.md)'
  assert.deepEqual(linked(other), { text: other, lost: [] })
})

test('addresses prove the folder of a site that no settings name', () => {
  assert.deepEqual(linked('[x](/kit/print.pdf) [y](/kit/a/web.pdf) [z](/kit)'), {
    text: '[x](../../files/site/kit/print.pdf) [y](../../files/site/kit/a/web.pdf) [z](../../files/site/kit/)',
    lost: [],
  })
})

test('a picture that is a page becomes a link', () => {
  assert.deepEqual(linked('![Type](/@wiki/type)'), { text: '[Type](../type.md)', lost: [] })
})
