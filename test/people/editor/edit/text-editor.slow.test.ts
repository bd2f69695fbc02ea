import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { EditTask } from '#people/editor/edit/edit-process.ts'
import { openTextEditor } from '#people/editor/edit/text-editor.ts'

const editor = openTextEditor()
after(editor.close)

const RIGHTS = { project: 'acme', folderId: 'acme', mayManage: true }
const shown = { base: '', sent: new Map(), problems: new Map(), rights: RIGHTS, lang: 'en' } as const

function opened(kind: EditTask<'form'>['input']['kind'], file: string) {
  return editor.run('form', { ...shown, kind, file })
}

function lines(count: number, change = ''): string {
  return Array.from({ length: count }, (_, at) => `${at % 7}${at % 3 === 0 ? change : ''}\n`).join('')
}

const bytes = (text: string) => Buffer.from(text)

/** Texts that take long to open or merge. */
const HOSTILE: readonly (readonly [title: string, run: () => Promise<unknown>])[] = [
  ['a value of 40,000 spaces', () => opened('project', `name: "a${' '.repeat(40_000)}b"\n`)],
  ['60,000 empty lines in a value', () => opened('project', `name: |\n  a\n${'\n'.repeat(60_000)}  b\n`)],
  ['lists in lists', () => opened('project', `name: ${'['.repeat(100_000)}\n`)],
  ['mappings in mappings', () => opened('project', `${'? '.repeat(100_000)}\n`)],
  ['a text of quotes', () => opened('page', '"'.repeat(1 << 20))],
  [
    'texts that differ in every third line',
    () => {
      const [before, after, current] = [lines(200_000), lines(200_000, 'x'), lines(200_000, 'y')].map(bytes)
      return editor.run('merge', { before: bytes(`${before}`), after: bytes(`${after}`), current: bytes(`${current}`) })
    },
  ],
]

test('a value with 40,000 spaces opens, and the pages of the editor show what was written', async () => {
  const form = await opened('project', `name: "a${' '.repeat(40_000)}b"\n`)
  assert.ok(form?.fields.includes(`value="a${' '.repeat(40_000)}b"`))
})

for (const [title, run] of HOSTILE)
  test(`${title}: the work is in another process, so that this one goes on`, async () => {
    const before = process.cpuUsage()
    const work = run()
    assert.equal(editor.usage().busy, 1)
    await work
    assert.equal(editor.usage().busy, 0)
    const { user, system } = process.cpuUsage(before)
    // Of this process: what it sends and receives.
    assert.ok(user + system < MAX_OWN_MICROSECONDS, `${user + system} µs`)
  })

/** Many times what copying the texts takes, and a fraction of what reading them does. */
const MAX_OWN_MICROSECONDS = 1_500_000

test('a task that takes too long has no answer, and the next one is done', async t => {
  const hasty = openTextEditor({ timeoutMs: 300 })
  t.after(hasty.close)
  const texts = {
    before: bytes(lines(300_000)),
    after: bytes(lines(300_000, 'x')),
    current: bytes(lines(300_000, 'y')),
  }
  assert.equal(await hasty.run('merge', texts, 'one'), undefined)
  const merge = { before: bytes('a\nb\n'), after: bytes('a\nc\n'), current: bytes('x\nb\n') }
  assert.equal(`${(await editor.run('merge', merge, 'other'))?.merged}`, 'x\nc\n')
})

test('people take turns: who waits with many tasks delays no other person', async () => {
  const merge = { before: bytes('a\n'), after: bytes('b\n'), current: bytes('a\n') }
  const many = Array.from({ length: 30 }, () => editor.run('merge', merge, 'one'))
  assert.equal(`${(await editor.run('merge', merge, 'other'))?.merged}`, 'b\n')
  const answers = await Promise.all(many)
  assert.ok(
    answers.some(answer => answer === undefined),
    'at most ten of a person wait',
  )
})
