import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId, isStyleId } from '#brand/ids.ts'
import { BLOCK_NUMBERS } from '#delivery/search/blocks.ts'
import type { GuidePart, IndexAnswer, NumberColumn } from '#delivery/search/index-builder.ts'
import { collectIndex } from '#delivery/search/index-builder.ts'

const LARGE = 1 << 30

/** The answers of an index, copied as when they are sent. */
function answersOf(...parts: GuidePart[]): IndexAnswer[] {
  return answersWithin(LARGE, parts)
}

/** The answers of an index with a maximum size. */
function answersWithin(maxBytes: number, parts: readonly GuidePart[]): IndexAnswer[] {
  const answers: IndexAnswer[] = []
  const builder = collectIndex(block => answers.push(structuredClone(block)), maxBytes)
  for (const part of parts) builder.add(part)
  for (const answer of builder.finish()) answers.push(structuredClone(answer))
  return answers
}

function columnOf(answers: readonly IndexAnswer[], column: NumberColumn): number[] {
  return answers.flatMap(each => (each.kind === 'numbers' && each.column === column ? [...each.block] : []))
}

function lettersOf(answers: readonly IndexAnswer[]): string {
  return answers.map(each => (each.kind === 'letters' ? each.letters : '')).join('')
}

function textOf(answers: readonly IndexAnswer[]): string {
  const blocks = answers.flatMap(each => (each.kind === 'texts' ? [Buffer.from(each.block)] : []))
  return Buffer.concat(blocks).toString()
}

const id = 'zz'
const styleId = 'body'
assert.ok(isPageId(id))
assert.ok(isStyleId(styleId))
const style = { id: styleId, name: 'Body', casing: 'none', responsive: false, features: {} } as const
const page = (text: string) => ({ id, name: 'Ink', text })

test('an index has the page, heading, anchor and text of each part of a page', () => {
  const answers = answersOf({ kind: 'pages', pages: [page('above\n\n## On paper\n\nbelow'), page('other')] })
  assert.equal(textOf(answers), 'aboveOn paperon-paperbelowother')
  assert.deepEqual(columnOf(answers, 'pageOf'), [0, 0, 1])
  assert.deepEqual(columnOf(answers, 'textEnds'), [0, 0, 5, 13, 21, 26, 26, 26, 31])
})

test('the terms of an index are in order, each with the ends of its letters and postings', () => {
  const answers = answersOf({ kind: 'pages', pages: [page('paper'), page('ink')] })
  assert.equal(lettersOf(answers), ' inkinkpaperzz')
  assert.deepEqual(columnOf(answers, 'termEnds'), [4, 7, 12, 14])
  assert.deepEqual(columnOf(answers, 'postingEnds'), [2, 4, 5, 7])
  assert.deepEqual(
    columnOf(answers, 'postings').map(item => item >>> 8),
    [0, 1, 0, 1, 0, 0, 1],
  )
})

test('an index ends with the number of entries that are not parts of pages', () => {
  const answers = answersOf({ kind: 'types', types: [style] }, { kind: 'pages', pages: [page('paper')] })
  assert.deepEqual(answers.at(-1), { kind: 'end', items: 1, endings: [''] })
  assert.deepEqual(answersOf(), [{ kind: 'end', items: 0, endings: [] }])
})

test('an index passes on full blocks before it is finished', () => {
  const sent: string[] = []
  const builder = collectIndex(block => sent.push(block.kind), LARGE)
  const text = 'ink '.repeat(BLOCK_NUMBERS / 8)
  for (let at = 0; at < 16; at++) builder.add({ kind: 'pages', pages: [page(text)] })
  assert.ok(sent.includes('texts'))
})

test('an index near its maximum size has only the names of further pages, not their text', () => {
  const pages = Array.from({ length: 10_000 }, (_, at) => ({ ...page(`blue ${at}`), name: `Name${at}` }))
  const maxBytes = 300_000
  const answers = answersWithin(maxBytes, [{ kind: 'pages', pages }])
  const words = lettersOf(answers)
  assert.ok(words.includes('name9999'))
  const text = textOf(answers)
  assert.ok(text.startsWith('blue 0blue 1'))
  assert.ok(!text.includes('blue 9999'))
})
