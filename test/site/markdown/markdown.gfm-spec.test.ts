import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { htmlText, htmlTree } from '#site/markdown/markdown.ts'
import { needs } from '../../support/programs.ts'
import { differing, type Example } from './examples.ts'

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
