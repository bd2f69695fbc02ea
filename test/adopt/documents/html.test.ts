import assert from 'node:assert/strict'
import test from 'node:test'
import { convertHtml } from '#adopt/documents/html.ts'
import { golden } from '#test/support/golden.ts'
import { pageFacts, TASK } from '../page-facts.ts'

for (const [subject, source, message] of [
  ['very deep', '<div>'.repeat(1_000_000), /^Error: has more than 300 elements inside each other/],
  ['very long', '<p>a'.repeat(60_000), /^Error: has more than 50000 elements/],
  ['only navigation', '<nav><a href=b.html>B</a></nav><div id=root></div>', /^Error: has no content/],
  ['only a redirection', '<meta http-equiv=refresh content="0; url=b.html">Moved', /^Error: only redirects to b\.html/],
] as const)
  test(`a page that is ${subject} is refused at once`, () => assert.throws(() => convertHtml(source, TASK), message))

golden('adopt/documents/html', ({ page }: { page: string }) => pageFacts(convertHtml(page, TASK)))
