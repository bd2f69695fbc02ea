import assert from 'node:assert/strict'
import test from 'node:test'
import { outsideReason, siteFacts } from '#adopt/sources/facts.ts'
import { hiddenBy } from '#adopt/sources/ignore-rules.ts'

/** The paths in a source that its site does not have, with what says so. */
async function hiddenIn(files: Readonly<Record<string, string>>) {
  const entries = Object.entries(files).map(([path, text]) => {
    const read = async () => Buffer.from(text)
    return { path, label: '', size: text.length, read, copyTo: async () => undefined }
  })
  const facts = await siteFacts(entries)
  return entries.flatMap(entry => {
    const own = facts.of(entry)
    const folders = entry.path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'))
    const reason = folders.map(path => hiddenBy(own.hidings, path, path !== entry.path)).find(Boolean)
    const why = reason ?? (/\.md$/.test(entry.path) ? outsideReason(entry.path, own) : undefined)
    return why === undefined ? [] : [`${entry.path} (${/"(.*?)"/.exec(why)?.[1] ?? why.replace(/^.*?: /, '')})`]
  })
}

test('what the settings of a generator keep off its site is hidden, with the setting', async () => {
  const sources: readonly [hidden: string[], files: Readonly<Record<string, string>>][] = [
    [
      ['docs/drafts/a.md (exclude_docs)', 'docs/x.tmp.md (exclude_docs)', 'docs/next.md (draft_docs)'],
      {
        'mkdocs.yml':
          'exclude_docs: |\n  drafts/\n  *.tmp.md\n  !keep.tmp.md\ndraft_docs: next.md\nnot_in_nav: /c.md\n',
        'docs/drafts/a.md': '',
        'docs/x.tmp.md': '',
        'docs/keep.tmp.md': '',
        'docs/next.md': '',
        'docs/c.md': '',
      },
    ],
    [
      ['notes/a.md (exclude)', '_colors/b.md (collections)'],
      {
        '_config.yml': 'exclude: [notes, "*.psd"]\ncollections:\n  colors: {}\n  marks: { output: true }\n',
        'notes/a.md': '',
        '_colors/b.md': '',
        '_marks/c.md': '',
        'd.md': '',
      },
    ],
    [
      ['content/a.draft.md (ignoreFiles)', 'content/wip/b.md (ignoreFiles)'],
      {
        'hugo.toml': 'ignoreFiles = ["\\\\.draft\\\\.md$", "/wip/"]\n',
        'content/a.draft.md': '',
        'content/wip/b.md': '',
        'content/c.md': '',
      },
    ],
    [
      ['docs/secret/a.md (srcExclude)', 'docs/b.md (srcExclude)'],
      {
        'docs/.vitepress/config.ts':
          "import type { X } from 'x'\nconst later = ['b.md']\nexport default defineConfig({ srcExclude: ['secret/**', ...(isLive ? later : [])] } satisfies X)",
        'docs/secret/a.md': '',
        'docs/b.md': '',
        'docs/c.md': '',
      },
    ],
    [
      ['docs/old/a.md (exclude)', 'docs/_part.mdx (its name begins with _)'],
      {
        'docusaurus.config.ts':
          "const config: Config = { presets: [['classic', { docs: { exclude: ['**/old/**'] } } satisfies P.O]] };\nexport default config;",
        'docs/old/a.md': '',
        'docs/_part.mdx': '',
        'docs/b.md': '',
      },
    ],
    [
      ['src/b.md (.eleventyignore)', 'src/c/d.md (ignores.add)'],
      {
        'eleventy.config.js':
          "export default function (config) { if (live) config.ignores.add('src/c/**'); return { dir: { input: 'src' } } }",
        '.eleventyignore': 'src/b.md\n',
        'src/b.md': '',
        'src/c/d.md': '',
        'src/e.md': '',
      },
    ],
    [
      ['src/b.md (its table of contents does not have it)'],
      { 'book.toml': '', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '', 'src/b.md': '' },
    ],
    [
      ['a/out.md (a/.gitignore)', 'b/c.log.md (.gitignore)'],
      {
        '.gitignore': '*.log.md\n',
        'a/.gitignore': '/out.md\n!x.log.md\n',
        'a/out.md': '',
        'b/c.log.md': '',
        'b/out.md': '',
      },
    ],
    [
      ['pages/b.md (display)', 'pages/c/d.md (display)'],
      {
        'next.config.js': '',
        'pages/_meta.json': '{"a": "A", "b": {"display": "hidden"}, "c": {"display": "hidden"}}',
        'pages/a.md': '',
        'pages/b.md': '',
        'pages/c/d.md': '',
      },
    ],
    [
      ['docs/a.html (build output)'],
      {
        '.vitepress/config.js': "export default { srcDir: 'src', outDir: './docs' }",
        'src/a.md': '',
        'docs/a.html': '',
      },
    ],
    [[], { 'mkdocs.yml': 'site_dir: docs\n', 'docs/a.md': '' }],
    [
      ['tools/a.md (it is outside of docs, the pages of mkdocs.yml)'],
      { 'mkdocs.yml': '', 'docs/a.md': '', 'tools/a.md': '' },
    ],
  ]
  for (const [hidden, files] of sources) assert.deepEqual((await hiddenIn(files)).toSorted(), hidden.toSorted())
})
