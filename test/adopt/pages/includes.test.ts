import assert from 'node:assert/strict'
import test from 'node:test'
import { applyPasses, convertMarkdown } from '#adopt/pages/convert-page.ts'
import { includedBy, insertIncludes, readIncludes } from '#adopt/pages/includes.ts'
import { golden } from '#test/support/golden.ts'
import { adopted, type Files } from '../adopted.ts'
import { TASK } from '../page-facts.ts'
import { sourceEntries } from '../source-entry.ts'

/** The pages of these files with what they include, without a process for each source. */
async function included(files: Files) {
  const entries = sourceEntries(files)
  const includes = await readIncludes(entries, () => false)
  return entries.map(entry => {
    const { path } = entry
    const kind = path.endsWith('.mdx') ? ('mdx' as const) : ('md' as const)
    return {
      source: files[path] ?? '',
      task: { ...TASK, path, shownPath: path, kind, includes: includedBy(entry, includes) },
    }
  })
}

golden('adopt/pages/includes', async ({ files }: { files: Files }) => {
  const { report, texts } = await adopted(files)
  const { merged, leftOut, lost } = report
  return { texts: texts.toSorted(), merged, leftOut, lost }
})

test('files that include each other, or too much text, end with a row each', async () => {
  const { report } = await adopted({
    'index.md': '{% include a.md %}\n\n{% include big.md %}\n\n{% include big.md %}\n\n{% include none.md %}\n',
    '_includes/a.md': 'A {% include b.md %}',
    '_includes/b.md': 'B {% include a.md %}',
    '_includes/big.md': 'Many words. '.repeat(60_000),
  })
  assert.deepEqual(report.lost, [
    { path: 'index.md', line: 1, what: 'include of itself', text: '{% include a.md %}' },
    { path: 'index.md', line: 5, what: 'include of too much text', text: '{% include big.md %}' },
    { path: 'index.md', line: 7, what: 'tag include', text: '{% include none.md %}' },
  ])
})

test('pages in MDX that each show the next one twice are converted, and what is too much is lost', async () => {
  const part = (at: number) => `import A from './_p${at + 1}.mdx'\n\nText ${at}.\n\n<A />\n\n<A />\n`
  const parts = Array.from({ length: 40 }, (_, at) => [`_p${at}.mdx`, part(at)] as const)
  const [page] = await included({ 'index.mdx': part(-1), ...Object.fromEntries(parts), '_p40.mdx': 'End.' })
  const { notes } = convertMarkdown(page?.source ?? '', page?.task ?? TASK)
  assert.ok(notes.lost.some(({ text }) => text === '<A />'))
})

test('pages that each include the next one twice or more stay small in each syntax, and the report says where that ends', async () => {
  const syntaxes: readonly ((name: string) => string)[] = [
    name => `{% include ${name} %}`,
    name => `{% include_relative ${name} who="${'Jo '.repeat(300)}" %}`,
    name => `{{< readfile file="${name}" >}}`,
    name => `--8<-- "${name}"`,
    name => `<!--@include: ${name}-->`,
    name => `- item\n\n    --8<-- "${name}"`,
  ]
  for (const syntax of syntaxes) {
    const page = (at: number) =>
      `# P\n${'{{ include.who }} words '.repeat(9)}\n${`${syntax(`p${at + 1}.md`)}\n\n`.repeat(3)}`
    const pages = Array.from({ length: 12 }, (_, at) => [`p${at}.md`, page(at)] as const)
    const all = await included({ ...Object.fromEntries(pages), 'p12.md': '# End' })
    const converted = all.map(({ source, task }) => applyPasses(source, task, [insertIncludes]))
    for (const { text } of converted) assert.ok(text.length < 150_000, `${syntax('x.md')}: ${text.length}`)
    const ends = converted[0]?.notes.lost.filter(({ what }) => what === 'include of too much text') ?? []
    assert.ok(ends.length > 0 && ends.length <= 3, `${syntax('x.md')}: ${ends.length}`)
  }
})

test('a page may include a short text many times, and a long one', async () => {
  const [page] = await included({
    'index.md': `${'{% include note.md %}\n\n'.repeat(100)}{% include long.md %}\n`,
    '_includes/note.md': 'Keep clear space around the logo. '.repeat(15),
    '_includes/long.md': 'Words. '.repeat(70_000),
  })
  const { text, notes } = applyPasses(page?.source ?? '', page?.task ?? TASK, [insertIncludes])
  assert.deepEqual(notes.lost, [])
  assert.ok(text.length > 500_000)
})

test('an include whose name has no end is text', async () => {
  for (const open of ['{% include ', '<!-- @include: ', '{{< readfile file="'])
    for (const { source, task } of await included({
      'index.md': `# A\n\n${open}${'x.md'.repeat(20_000)}\n\n${open.repeat(10_000)}`,
    }))
      assert.ok(convertMarkdown(source, task).text.includes('x.md'))
})
