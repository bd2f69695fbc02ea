import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { messagesOf } from '#test/support/problems.ts'
import { folderWith } from '#test/support/temporary.ts'
import { draftOf, folderFacts, lines, readAt } from './reading.ts'

test('pages have an id, a name and a description from their path, front matter and heading', async () => {
  const { pages } = await draftOf({
    'pages/index.md': '---\ntitle: Welcome\ndescription: All of it\n---\n# Not this\n',
    'pages/Clear Space.md': 'Text\n\n## The *clear* space\n',
    'pages/Café/Größe.md': 'No heading',
    'pages/logo/index.md': '# Logo\n',
    'pages/Deep/Index.md': 'Text\n',
    'pages/moved.md': '---\nid: old/place\n---\nText\n',
    'pages/cafe\u0301-nfd.md': 'Text\n',
    'pages/_draft.md': '# Draft\n',
    'pages/long.md': `# ${'😀'.repeat(1200)}\n`,
  })
  const shown = pages.map(({ id, name, description }) => [
    id,
    name,
    ...(description === undefined ? [] : [description]),
  ])
  assert.deepEqual(shown, [
    ['index', 'Welcome', 'All of it'],
    ['cafe-nfd', 'caf\u00e9-nfd'],
    ['cafe/grosse', 'Größe'],
    ['clear-space', 'The clear space'],
    ['deep', 'Deep'],
    ['logo', 'Logo'],
    ['long', '😀'.repeat(500)],
    ['old/place', 'moved'],
  ])
})

test('pages are sorted as in project.yaml, then the home page, then by order, then by id', async () => {
  const page = (order: string) => `---\norder: ${order}\n---\n`
  const { pages } = await draftOf({
    'project.yaml': 'pages: [zebra, a/b]\n',
    'pages/index.md': page('99'),
    'pages/zebra.md': page('5'),
    'pages/a/b.md': '# A\n',
    'pages/a.md': '# A\n',
    'pages/c.md': page('2'),
    'pages/b.md': page('10'),
    'pages/d.md': page('2'),
    'pages/e.md': page('-1.5'),
  })
  const ids = pages.map(({ id }) => id)
  assert.deepEqual(ids, ['zebra', 'a/b', 'index', 'e', 'c', 'd', 'b', 'a'])
})

test('a project that exceeds a cap has one finding that names the cap, and no draft', async () => {
  const folder = await folderWith({
    'a/pages/index.md': '[b](b.md) ![](x.png)',
    'a/pages/b.md': '# A\n',
    'b/files/1.txt': '1',
    'b/files/2.txt': '2',
    'b/pages/index.md': '[one](../files/1.txt)',
    'c/styles/colors.yaml': '[{name: a, hex: "000"}, {name: b, hex: "000"}]',
    'd/pages/index.md': '[large](../files/large.txt)',
    'd/files/large.txt': 'x'.repeat(11),
    'e/pages/index.md': '[a](a) '.repeat(10_001),
    'e/pages/a.md': '# A\n',
  })
  await readAt(folder, { maxItems: 1, maxFile: 10 }).then(({ drafts, findings }) => {
    assert.deepEqual(lines(findings), [
      'a/pages: error too-many',
      'b/files: error too-many',
      'c/styles/colors.yaml: error too-many',
      'd/files/large.txt: error too-large',
      'e/pages: error too-many',
    ])
    assert.match(
      messagesOf(findings).join('\n'),
      /more than the limit of 1: .*--max-items(.|\n)*more than the limit of 10: .*--max-file/,
    )
    assert.deepEqual(drafts, [])
  })
  assert.deepEqual(lines((await readAt(folder)).findings), [
    'a/pages/index.md:1 warning link-broken',
    'e/pages/index.md: error too-many',
  ])
})

golden('intake/brand-folder.projects', folderFacts)
