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

for (const sheet of [
  '.c1{font-weight:700}',
  '.c1 { FONT-WEIGHT : bold }',
  '.c0, span.c1, .c2 {font-weight:700}',
  '@media print { .c1 {font-weight:400} } .c1{font-weight:700}',
  '.c1{font-weight:700} @media print { .c1 {font-weight:400} }',
  '/* .c1{} */.c1/* a name */{/* thick */font-weight:/* 400 */700;/* } */color:#000}',
  '.c1{font-weight:400}.c1{font-weight:700}',
  '@layer b{.c1{font-weight:400}}@media screen{.c1{font-weight:700!important}} span.c1{font-weight:400}',
])
  test(`a word is bold if its class is bold on the page: ${sheet}`, () => {
    const page = `<style>${sheet}</style><main><p>One <span class=c1>thick</span> word</p></main>`
    assert.equal(convertHtml(page, TASK).text.trim(), 'One **thick** word')
  })

for (const [sheet, style] of [
  ['@media print{.c1{font-weight:700}}', ''],
  ['/*.c1{font-weight:700}*/', ''],
  ['.c10{font-weight:700}.c1:hover{font-weight:700}', ''],
  ['.c1{font-weight:700}', 'font-weight: normal'],
  ['@layer a{p .c1{font-weight:700}}.c1{font-weight:400}@media (width<9em){.c1{font-weight:700}}', ''],
])
  test(`a word is not bold that is not bold on the page: ${sheet} ${style}`, () => {
    const page = `<style>${sheet}</style><main><p>One <span class=c1 style="${style}">thin</span> word</p></main>`
    assert.equal(convertHtml(page, TASK).text.trim(), 'One thin word')
  })
