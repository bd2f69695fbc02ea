import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '#delivery/lint/markup/html.ts'
import { NO_SHEETS, type Sheets, sourceOf } from '#delivery/lint/source.ts'
import { golden } from '../../../support/golden.ts'
import { summaryOf } from '../summary.ts'

const read = (html: string, sheets = NO_SHEETS) =>
  [...readHtml(sourceOf(html), sheets)].map(use => summaryOf(use, html))

golden('lint/html', ({ html }: { html: string }) => read(html))

test('linked sheets give variables, and no uses', () => {
  const opened: string[] = []
  const sheets: Sheets = {
    open: address => {
      opened.push(address)
      return { text: ':root{--a:#102030}', sheets: NO_SHEETS }
    },
  }
  const html =
    '<link rel="Preload StyleSheet" href="a&amp;b.css"><link rel=icon href=c><p style="color:rgb(from var(--a) r g b)">'
  read(html, sheets)
  assert.deepEqual(opened, ['a&b.css'])
  assert.deepEqual(read(html.replace('rgb(from var(--a) r g b)', 'color-mix(in srgb, var(--a), var(--a))'), sheets), [
    '1:89 text color-mix(in srgb, var(--a), var(--a)) → #102030',
  ])
})

const LARGE = {
  'text moved out of tables': `${'x<table><tr><td>'.repeat(2000)}${'a '.repeat(500_000)}${'</td>y</table>'.repeat(2000)}`,
  'open brackets': '<'.repeat(400_000),
  references: '&amp;'.repeat(400_000),
  attributes: `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=b`).join(' ')}>`,
  'a long name': `<title>${'<a'.repeat(400_000)}`,
}

for (const [title, html] of Object.entries(LARGE))
  test(`a large document of ${title} is read`, () => {
    for (const use of readHtml(sourceOf(html), NO_SHEETS)) assert.notEqual(use.kind, 'unreadable')
  })

const TOO_DEEP = ['unreadable message="has too many elements inside each other: close or simplify them"']

for (const html of [
  '<div>'.repeat(400_000),
  '<b>'.repeat(400_000),
  Array.from({ length: 100_000 }, (_, index) => `<i id=${index}>`).join(''),
  '<table><tr><td>a'.repeat(100_000),
  `<svg>${'<g fill=red>'.repeat(100_000)}`,
])
  test(`a document with ${html.slice(0, 16)} more than 10,000 levels deep is unreadable`, () => {
    assert.deepEqual(read(html), TOO_DEEP)
  })

test('a document whose unclosed elements the parser repeats too often is unreadable', () => {
  const html = `<p>${Array.from({ length: 900 }, (_, index) => `<b id=${index}>`).join('')}${'<p>x'.repeat(10_000)}`
  assert.deepEqual(read(html), TOO_DEEP)
})
