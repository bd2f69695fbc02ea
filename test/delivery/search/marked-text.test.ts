import assert from 'node:assert/strict'
import test from 'node:test'
import { snippet } from '#delivery/search/marked-text.ts'
import type { Word } from '#delivery/search/words.ts'

const wanting =
  (...terms: string[]) =>
  ({ term }: Word) =>
    terms.includes(term)

test('a snippet surrounds the first wanted word, and ends between words', () => {
  const around = `${'before '.repeat(40)}logo ${'after '.repeat(80)}`
  const [start, word, end] = snippet(around, wanting('logo'))
  assert.match(start ?? '', /^… (before ){8}$/)
  assert.equal(word, 'logo')
  assert.match(end ?? '', /^( after)+ …$/)
})

test('a short text is its own snippet, and a long one is cut, even without spaces or wanted words', () => {
  assert.deepEqual(snippet('A logo.', wanting('logo')), ['A ', 'logo', '.'])
  assert.deepEqual(snippet(`${'色'.repeat(300)}`, wanting('logo')), [`${'色'.repeat(200)} …`])
  assert.match(snippet('word '.repeat(100), wanting('logo')).join(''), /^(word ){40}…$/)
})

test('a word that a snippet cuts is highlighted only if it is the first one', () => {
  const cut = `${'-'.repeat(190)}${'b'.repeat(30)}`
  assert.deepEqual(snippet('c'.repeat(300), wanting('c'.repeat(40))), ['', 'c'.repeat(200), ' …'])
  assert.deepEqual(snippet(`logo${cut}`, wanting('logo', 'b'.repeat(30))), [
    '',
    'logo',
    `${'-'.repeat(190)}${'b'.repeat(6)} …`,
  ])
})
