import assert from 'node:assert/strict'
import test from 'node:test'
import type { Element } from 'hast'
import { element } from '../../../src/site/cards/element.ts'
import { fitOnPaper, shareOnPaper } from '../../../src/site/markdown/print-columns.ts'

test('a table gets the largest letters with which its words fit on paper, and a wide one has widths for its columns', () => {
  const cases: [row: readonly string[], size: string | undefined][] = [
    [['One', 'Two', 'A text of many short words. '.repeat(20)], undefined],
    [Array.from({ length: 6 }, () => 'Some text'), undefined],
    [['One', 'Donaudampfschifffahrtsgesellschaft'], 'print-9'],
    [Array.from({ length: 9 }, () => 'Supplier'), 'print-9'],
    [Array.from({ length: 10 }, () => 'Supplier'), 'print-8'],
    [Array.from({ length: 12 }, () => 'Supplier'), 'print-7'],
    [Array.from({ length: 14 }, () => 'Supplier'), 'print-6'],
    [Array.from({ length: 16 }, () => 'Supplier'), 'print-over'],
    [Array.from({ length: 40 }, () => '1'), 'print-8'],
    [Array.from({ length: 12 }, () => '色彩色彩色彩色彩'), undefined],
  ]
  for (const [row, size] of cases) {
    const table = tableOf(row)
    assert.deepEqual([row[0], row.length, fitOnPaper(table)], [row[0], row.length, size])
    const widths = widthsOf(table)
    assert.equal(widths.length, size === undefined ? 0 : row.length)
    if (size !== undefined) assert.ok(Math.abs(widths.reduce((sum, width) => sum + width, 0) - 100) < 3)
  }
})

test('a table in a list, a quotation or columns has the part of the sheet that these leave', () => {
  const cases: [share: number, size: string | undefined][] = [
    [1, undefined],
    [shareOnPaper(element('div', { className: ['columns', 'columns-2'] })), 'print-9'],
    [shareOnPaper(element('div', { className: ['split'] })), 'print-9'],
    [shareOnPaper(element('div', { className: ['columns', 'columns-4'] })), 'print-7'],
    [shareOnPaper(element('li', {})) ** 16, 'print-9'],
    [shareOnPaper(element('blockquote', {})), undefined],
    [shareOnPaper(element('section', {})), undefined],
  ]
  for (const [share, size] of cases)
    assert.equal(fitOnPaper(tableOf(['Guide', 'Logo', 'Colour', 'Supplier', 'Note']), share), size, `${share}`)
})

test('a column with a long word is wider, and a long text takes the room that words leave', () => {
  const [short = 0, word = 0, text = 0] = widthsOf(fitted(['1', 'x'.repeat(30), 'Some words. '.repeat(20)]))
  assert.ok(word > 4 * short && text > word)
})

test('a size such as 1189 × 1682 mm and a picture count as one word', () => {
  const [text = 0, size = 0] = widthsOf(fitted(['1189 and 1682 mm', '1189 × 1682 mm', 'x'.repeat(99)]))
  assert.ok(size > text)
  const picture = element('img', { width: 200 })
  const table = tableOf(['1', 'x'.repeat(99)])
  table.children.push(element('tbody', {}, element('tr', {}, element('td', {}, picture))))
  fitOnPaper(table)
  assert.ok((widthsOf(table)[0] ?? 0) > (widthsOf(fitted(['1', 'x'.repeat(99)]))[0] ?? 0))
})

function fitted(row: readonly string[]): Element {
  const table = tableOf(row)
  fitOnPaper(table)
  return table
}

function tableOf(row: readonly string[]): Element {
  const cells = row.map(text => element('td', {}, text))
  return element('table', {}, element('tbody', {}, element('tr', {}, cells)))
}

function widthsOf({ children }: Element): number[] {
  const group = children.find(child => child.type === 'element' && child.tagName === 'colgroup')
  const columns = group?.type === 'element' ? group.children : []
  return columns.map(column => (column.type === 'element' ? Number.parseFloat(String(column.properties.width)) : 0))
}
