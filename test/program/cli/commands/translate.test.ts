import assert from 'node:assert/strict'
import test from 'node:test'
import { withMark } from '#program/cli/commands/translate.ts'
import { golden } from '../../../support/golden.ts'
import { session } from '../session.ts'

const MARK = '0123456789abcdef'.repeat(2)

golden('cli/translate', session)

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
