import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { withMark } from '#program/cli/commands/translate.ts'
import { runCommand } from '../../../support/run-command.ts'
import { folderWith } from '../../../support/temporary.ts'

const FOLDER = {
  'guide/pages/index.md': '# Welcome\n',
  'guide/pages/logo.md': '# Logo\n',
  'guide/pages/film.md': '# Film\n',
  'de/project.yaml': 'lang: de\ntranslationOf: guide\n',
  'de/pages/index.md': '# Willkommen\n',
  'de/pages/zeichen.md': '\ufeff---\r\nid: logo\r\ntitle: Zeichen # kurz\r\n---\r\n\r\nText\r\n',
  'de/pages/eigene.md': '# Eigene\n',
}

const findingsIn = async (folder: string) => {
  const { out } = await runCommand(folder, ['check', folder, '--json'])
  const found: { path: string; line: number; rule: string }[] = JSON.parse(out)
  return found.map(({ path, line, rule }) => `${path}:${line} ${rule}`)
}

test('check tells which pages of an original have no translation, and which have changed since', async () => {
  const folder = await folderWith(FOLDER)
  const missing = 'de/project.yaml:2 translation-missing'
  assert.deepEqual(await findingsIn(folder), [missing])
  const { exitCode, out } = await runCommand(folder, ['translate', 'mark', join(folder, 'de'), '--json'])
  const paths = ['de/pages/index.md', 'de/pages/zeichen.md'].map(path => join(folder, path))
  assert.deepEqual([exitCode, JSON.parse(out)], [0, { marked: paths, unchanged: 0, problems: [] }])
  assert.deepEqual(await findingsIn(folder), [missing])
  await writeFile(join(folder, 'guide/pages/logo.md'), '# Logo\n\nMore.\n')
  assert.deepEqual(await findingsIn(folder), ['de/pages/zeichen.md:4 translation-stale', missing])
  await runCommand(folder, ['translate', 'mark', folder, 'index'])
  assert.deepEqual(await findingsIn(folder), ['de/pages/zeichen.md:4 translation-stale', missing])
  await runCommand(folder, ['translate', 'mark', folder, 'logo'])
  assert.deepEqual(await findingsIn(folder), [missing])
  await writeFile(join(folder, 'guide/pages/index.md'), '---\ndescription: New\n---\n# Welcome\n')
  assert.deepEqual(await findingsIn(folder), ['de/pages/index.md:2 translation-stale', missing])
})

test('marking leaves all other bytes of a page, and pages that are marked, as they are', async () => {
  const folder = await folderWith(FOLDER)
  const read = async (path: string) => (await readFile(join(folder, path))).toString('latin1')
  const before = await read('de/pages/zeichen.md')
  await runCommand(folder, ['translate', 'mark', join(folder, 'de')])
  const after = await read('de/pages/zeichen.md')
  assert.equal(after.replace(/translated: [0-9a-f]{32}\r\n/, ''), before)
  assert.match(await read('de/pages/index.md'), /^---\ntranslated: [0-9a-f]{32}\n---\n# Willkommen\n$/)
  assert.equal(await read('de/pages/eigene.md'), '# Eigene\n')
  const { mtimeMs } = await stat(join(folder, 'de/pages/index.md'))
  const again = await runCommand(folder, ['translate', 'mark', join(folder, 'de'), '--json'])
  assert.deepEqual(JSON.parse(again.out), { marked: [], unchanged: 2, problems: [] })
  assert.equal((await stat(join(folder, 'de/pages/index.md'))).mtimeMs, mtimeMs)
})

test('marking names what it cannot mark', async () => {
  const folder = await folderWith({ ...FOLDER, 'de/pages/film.md': '+++\ntitle = "Film"\n+++\nText\n' })
  const { exitCode, err } = await runCommand(folder, ['translate', 'mark', join(folder, 'de')])
  assert.equal(exitCode, 1)
  assert.match(err, /de\/pages\/film\.md: write translated: [0-9a-f]{32} into its front matter/)
  assert.equal(await readFile(join(folder, 'de/pages/film.md'), 'utf8'), '+++\ntitle = "Film"\n+++\nText\n')
  for (const args of [[join(folder, 'de'), 'eigene'], [join(folder, 'guide')]])
    assert.equal((await runCommand(folder, ['translate', 'mark', ...args])).exitCode, 1)
})

const MARK = '0123456789abcdef'.repeat(2)
for (const [text, marked] of [
  ['# A\n', `---\ntranslated: ${MARK}\n---\n# A\n`],
  ['A\r\n', `---\r\ntranslated: ${MARK}\r\n---\r\nA\r\n`],
  ['---\n---\nA', `---\ntranslated: ${MARK}\n---\nA`],
  ['---\ntitle: A\n---', `---\ntitle: A\ntranslated: ${MARK}\n---`],
  ['---\n"translated": x # y\ntitle: A\n---\nA', `---\ntranslated: ${MARK} # y\ntitle: A\n---\nA`],
  ['---\r\ntranslated:\r\ntitle: A\r\n---\r\nA', `---\r\ntranslated: ${MARK}\r\ntitle: A\r\n---\r\nA`],
  ['---\n{ title: A }\n---\nA', undefined],
  ['---\ntitle: A\n', `---\ntranslated: ${MARK}\n---\n---\ntitle: A\n`],
] as const)
  test(`the mark of a page that begins with ${JSON.stringify(text)} has a line of its own`, () => {
    assert.equal(withMark(text, MARK), marked)
    if (marked !== undefined) assert.equal(withMark(marked, MARK), marked)
  })
