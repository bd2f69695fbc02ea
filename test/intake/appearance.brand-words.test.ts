import assert from 'node:assert/strict'
import test from 'node:test'
import { findingLines } from '../support/problems.ts'
import { draftOf, read } from './reading.ts'

const PAGES = { 'pages/index.md': '# Home\n', 'pages/voice/Our Words.md': '---\nid: words\n---\nText\n' }

function words(...pages: readonly string[]): string {
  const entries = pages.map((page, at) => `- { write: use, not: a${at}, page: ${page} }\n`)
  return `words:\n${entries.join('')}`
}

test('the page of a word is an id, or a path from project.yaml', async () => {
  const written = ['words', 'index', 'pages/voice/Our Words.md', './pages/index.md']
  const draft = await draftOf({ ...PAGES, 'project.yaml': words(...written) })
  assert.deepEqual(
    draft.words?.map(({ page }) => page),
    ['words', 'index', 'words', 'index'],
  )
})

test('a page that does not exist is an error with a suggestion', async () => {
  const { findings } = await read({ ...PAGES, 'project.yaml': words('wrods', '../index', 'pages/indx.md') })
  const why = 'which is neither the id of a page nor its path from project.yaml'
  assert.deepEqual(findingLines(findings), [
    `project.yaml:2 error reference-missing: "page" is "wrods", ${why}; did you mean "words"?`,
    `project.yaml:3 error reference-missing: "page" is "../index", ${why}; correct it, or remove it`,
    `project.yaml:4 error reference-missing: "page" is "pages/indx.md", ${why}; did you mean "pages/index.md"?`,
  ])
})

const LINKS = {
  'pages/index.md': '[Words](../project.yaml#words)\n',
  'pages/voice/deep/list.md':
    'See <a href="../../../project.yaml#words">words</a> and [w][w].\n\n[w]: <../../../project.yaml#words>\n',
}

test('pages in any folder link to the words in project.yaml', async () => {
  const draft = await draftOf({ ...LINKS, 'project.yaml': 'words: [{ write: use, not: utilise }]\n' })
  const linked = draft.pages.flatMap(({ links }) => links.map(({ start, end, to }) => [end - start, to]))
  const [near, far] = ['../project.yaml#words'.length, '../../../project.yaml#words'.length]
  assert.deepEqual(linked, [
    [near, { words: true }],
    [far, { words: true }],
    [far, { words: true }],
  ])
})

test('a link to the words is broken if the project has none, or if it is written in another way', async () => {
  const without = await read(LINKS)
  const fix = 'matches no page or file in the project; correct its path, or add "words" to project.yaml'
  assert.deepEqual(findingLines(without.findings), [
    `pages/index.md:1 warning link-broken: the link "../project.yaml" ${fix}`,
    `pages/voice/deep/list.md:1 warning link-broken: the link "../../../project.yaml" ${fix}`,
    `pages/voice/deep/list.md:3 warning link-broken: the link "../../../project.yaml" ${fix}`,
  ])
  const { findings } = await read({
    'project.yaml': 'words: [{ write: use, not: utilise }]\n',
    'pages/index.md': '[a](../project.yaml) [b](../project.yaml#lint)\n\n[c](project.yaml#words)\n',
  })
  const nowhere = 'matches no page or file in the project; correct its path, or add the file'
  assert.deepEqual(findingLines(findings), [
    `pages/index.md:1 warning link-broken: the link "../project.yaml" ${nowhere}`,
    `pages/index.md:1 warning link-broken: the link "../project.yaml" ${nowhere}`,
    `pages/index.md:3 warning link-broken: the link "project.yaml" ${fix}`,
  ])
})
