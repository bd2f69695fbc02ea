import assert from 'node:assert/strict'
import test from 'node:test'
import { byLanguage, planTranslations } from '#adopt/site/by-language.ts'
import { planPages } from '#adopt/site/page-paths.ts'
import { siteFacts } from '#adopt/sources/facts.ts'
import { sourcePage } from './source-page.ts'

/** The new paths of pages by their projects, as init writes them. */
async function projectsOf(files: Readonly<Record<string, string>>) {
  const entries = Object.entries(files).map(([path, text]) => {
    const read = async () => Buffer.from(text)
    return { path, label: '', size: text.length, read, copyTo: async () => undefined }
  })
  const { of, named } = await siteFacts(entries)
  const pages = entries.filter(({ path }) => path.endsWith('.md')).map(entry => sourcePage(entry.path, {}, of(entry)))
  const { main, lang = '', others } = byLanguage(pages, named.lang)
  const { plans } = planPages(main)
  const translations = planTranslations(others, plans)
  const shown = [{ lang, plans }, ...translations].map(each => [
    each.lang,
    each.plans.map(({ to }) => to.slice('pages/'.length)),
  ])
  return { shown, unpaired: translations.flatMap(({ notes }) => notes.guessed.map(({ path }) => path)) }
}

const SOURCES: readonly [
  projects: [string, string[]][],
  files: readonly string[],
  settings?: Record<string, string>,
][] = [
  [
    [
      ['', ['index.md', 'logo.md']],
      ['de', ['index.md', 'logo.md']],
    ],
    ['index.md', 'logo.md', 'de/index.md', 'de/logo.md'],
  ],
  [
    [
      ['en', ['logo.md', 'type.md']],
      ['pt-BR', ['logo.md']],
    ],
    ['content/en/logo.md', 'content/en/type.md', 'content/pt-br/logo.md'],
    { 'hugo.toml': 'defaultContentLanguage = "en"\n[languages.en]\n[languages.pt-br]\n' },
  ],
  [
    [
      ['', ['logo.md', 'type.md']],
      ['de', ['logo.md']],
    ],
    ['docs/logo.md', 'docs/type.md', 'docs/logo.de.md'],
    {
      'mkdocs.yml':
        'plugins:\n  - i18n:\n      languages:\n        - { locale: en, default: true }\n        - { locale: de }\n',
    },
  ],
  [
    [
      ['', ['logo.md']],
      ['fr', ['logo.md']],
    ],
    ['docs/logo.md', 'i18n/fr/docusaurus-plugin-content-docs/current/logo.md'],
    { 'docusaurus.config.js': "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'fr'] } }" },
  ],
  [[['', ['index.md', 'it/index.md', 'it/safety.md']]], ['index.md', 'it/index.md', 'it/safety.md']],
]

test('each further language of a source is a translation, page by page where paths pair', async () => {
  for (const [projects, files, settings = {}] of SOURCES) {
    const pages = Object.fromEntries(files.map(path => [path, '']))
    assert.deepEqual((await projectsOf({ ...settings, ...pages })).shown, projects)
  }
  const { unpaired } = await projectsOf({ 'a.md': '', 'b.md': '', 'de/a.md': '', 'de/c.md': '' })
  assert.deepEqual(unpaired, ['de/c.md'])
})
