import assert from 'node:assert/strict'
import test from 'node:test'
import { convertWord } from '#adopt/documents/word.ts'
import { documentOf, zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { golden } from '#test/support/golden.ts'
import { pageFacts, TASK } from '../page-facts.ts'

/** Paragraphs and styles of a Word file, and its other parts. */
type Given = { body: readonly string[]; styles: readonly string[]; parts?: Readonly<Record<string, string>> }

golden('adopt/documents/word', async ({ body, styles, parts = {} }: Given) => {
  const file = zipOf({ ...documentOf(body.join(''), styles.join('')), ...parts })
  return pageFacts(await convertWord(file, { ...TASK, kind: 'docx' }))
})

const BROKEN: readonly (readonly [subject: string, bytes: Uint8Array, message: RegExp])[] = [
  ['has no text', zipOf({ 'word/x.xml': 'x' }), /^Error: is not a Word file, or damaged/],
  ['is no ZIP archive', Buffer.from('x'), /^Error: is not a Word file/],
  ['unpacks to very many bytes', zipOf({ ...documentOf(''), 'word/x.xml': Buffer.alloc(101 << 20) }), /too many bytes/],
]
for (const [subject, bytes, message] of BROKEN)
  test(`a Word file that ${subject} is refused`, () => assert.rejects(convertWord(bytes, TASK), message))
