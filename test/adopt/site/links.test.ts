import assert from 'node:assert/strict'
import test from 'node:test'
import { linkPages } from '#adopt/site/links.ts'
import { planPages } from '#adopt/site/page-paths.ts'
import type { SiteFacts } from '#adopt/sources/facts.ts'
import { golden } from '#test/support/golden.ts'
import { sourceEntry } from '../source-entry.ts'
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

type Given = { page: string; cover?: string }

/** The address that a link on the page `docs/02-colour/page.md` has afterwards, and what is lost. */
function linked({ page, ...meta }: Given): { text: string; lost: string[]; guessed?: string[] } {
  const all = { ...PAGES, 'docs/02-colour/page.md': page.includes('\n## ') ? page : `# Page\n\n${page}\n` }
  const pages = Object.entries(all).map(([path, text]) => {
    const aliases = path === 'docs/type.md' ? ['/fonts/'] : []
    const own = path === 'docs/02-colour/page.md' ? meta : {}
    const source = sourcePage(path, { aliases, ...own }, FACTS, { text })
    return { ...source, lines: text.split('\n').map((_, at) => at + 11) }
  })
  const { plans } = planPages(pages)
  const files = FILES.map(path => ({ entry: sourceEntry(path), to: `files/${path.normalize('NFC')}` }))
  const { texts, notes } = linkPages(plans, files)
  const at = plans.findIndex(({ entry }) => entry.path === 'docs/02-colour/page.md')
  const text = (texts[at] ?? '').replace(/^# Page\n\n|\n$/g, '')
  const lost = notes.lost.map(({ line, what, text }) => `${line} ${what}: ${text}`)
  const guessed = notes.guessed.map(({ key, value }) => `${key} → ${value}`)
  return { text, lost, ...(guessed.length > 0 && { guessed }) }
}

golden('adopt/site/links', (given: Given) => linked(given))

test('pages with the title of the guide have the names of their files in the menu', () => {
  const names = ['1-logo_use.md', 'Colour.md', 'Tone/index.md']
  const { plans } = planPages(names.map(name => sourcePage(name, {}, {}, { text: '# Fernhill\n' })))
  const { texts } = linkPages(plans, [])
  assert.deepEqual(texts.map(text => /^nav: (.*)$/m.exec(text)?.[1]).sort(), ['1 logo use', 'Colour', 'Tone'])
})
