import assert from 'node:assert/strict'
import test from 'node:test'
import { openConverter, readConfined } from '#adopt/documents/converter.ts'
import { documentOf, zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { TASK } from '../page-facts.ts'

test('pages of all kinds are converted in confined processes, and one that cannot be does not stop the others', async () => {
  await using converter = openConverter()
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const deep = zipOf(documentOf('<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000)))
  const pages = [
    ['md', latin('Gr\xf6\xdfe')],
    ['html', Buffer.from('\ufeff<p>Größe', 'utf16le')],
    ['html', Buffer.from('<p>Größe', 'utf16le')],
    ['html', latin('<meta charset=iso-8859-2><p>\xb1')],
    ['html', Buffer.from('---\ntitle: Logo\n---\n<p>{{ page.title }} {% x %}use')],
    ['html', Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><p>&a;')],
    ['html', Buffer.from('<i>'.repeat(1_000_000))],
    ['docx', deep],
    ['docx', zipOf(documentOf('<w:p><w:r><w:t>Ink</w:t></w:r></w:p>'))],
  ] as const
  const answers = await Promise.all(pages.map(([kind, bytes]) => converter.read({ bytes, task: { ...TASK, kind } })))
  const shown = answers.map(answer =>
    answer.ok ? [answer.value.text.trim(), ...answer.value.notes.guessed.map(({ value }) => value)] : answer.problem,
  )
  assert.deepEqual(shown, [
    ['Größe', 'windows-1252'],
    ['Größe'],
    ['Größe', 'utf-16le'],
    ['ą'],
    ['Logo use'],
    [']>\n\n\\&a;'],
    'has more than 300 elements inside each other',
    'is nested too deeply',
    ['Ink'],
  ])
})

test('styles are read in a confined process, and an interruption ends it', async () => {
  const [palette, other] = [
    { path: 'a.css', bytes: Buffer.from(':root { --ink: #112233 }') },
    { path: 'a.bin', bytes: Buffer.from([0]) },
  ]
  const [read, unread] = await readConfined([palette, other], new AbortController().signal)
  assert.deepEqual(read?.ok && read.value.colors.map(({ name }) => name), ['ink'])
  assert.equal(unread?.ok, false)
  const interruption = new AbortController()
  const reading = readConfined([palette], interruption.signal)
  interruption.abort(new DOMException('SIGTERM', 'AbortError'))
  await assert.rejects(reading, { name: 'AbortError' })
})
