import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '../../../src/site/markdown/markdown.ts'
import { CONTEXT } from './rendered.ts'

test('a page with a thousand references to a long address is rejected before expansion', () => {
  const text = `[a]: /${'x'.repeat(10_000)}\n\n${'[a] '.repeat(1000)}`
  assert.throws(() => renderMarkdown(text, CONTEXT), RangeError)
  assert.equal(
    renderMarkdown(text.replace(/x{9950}/, ''), CONTEXT).html.text.split(`="/${'x'.repeat(50)}"`).length,
    1001,
  )
})
