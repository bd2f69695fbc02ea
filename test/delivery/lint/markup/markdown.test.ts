import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMarkdown } from '#delivery/lint/markup/markdown.ts'
import { sourceOf } from '#delivery/lint/source.ts'
import { golden } from '../../../support/golden.ts'
import { summaryOf } from '../summary.ts'

golden('lint/markdown', ({ markdown }: { markdown: string }) =>
  Array.from(readMarkdown(sourceOf(markdown)), use => summaryOf(use)),
)

test('text in 100 quotes and lists is unreadable, and a line of 100 signs is not', () => {
  const kindsOf = (markdown: string) => [...readMarkdown(sourceOf(markdown))].map(({ kind }) => kind)
  assert.deepEqual(kindsOf(`a\n\n${'> '.repeat(99)}b`), ['words', 'words'])
  for (const marks of ['> ', '>', '- ', '> 1. '])
    assert.deepEqual(kindsOf(`a\n\n${marks.repeat(100)}b`), ['unreadable'])
  for (const sign of ['-', '* ', '> ']) assert.deepEqual(kindsOf(`a\n\n${sign.repeat(100)}\n\nb`), ['words', 'words'])
})

for (const part of ['[', '*', '> ', '<', '<!--', '`', '_', '~~', '![', '{{', '<a<', '**a_', '\\', '[a](', '<div>\n'])
  test(`100,000 times ${JSON.stringify(part)} is read`, () => {
    assert.ok([...readMarkdown(sourceOf(part.repeat(100_000)))].length <= 100_000)
  })
