import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '../../../src/intake/markdown/markdown.ts'

const addresses: [page: string, isLocal: boolean][] = [
  ['![Logo](C:\\Brand\\logo.png)', true],
  ['![Logo](<C:\\Our Brand\\logo.png>)', true],
  ['![Logo](/Users/ada/logo.png)', true],
  ['![Logo](/home/a-b/logo.png)', true],
  ['![Logo](d:/brand/logo.png)', true],
  ['[Logo](file:///home/a-b/logo.png)', true],
  ['<img src="FILE:///logo.png">', true],
  ['![Logo](<\\\\server\\brand\\logo.png>)', true],
  ['![Logo](https://example.com/logo.png)', false],
  ['[Mail](mailto:brand@example.com)', false],
  ['`![Logo](C:\\logo.png)`', false],
]
for (const [page, isLocal] of addresses)
  test(`the address in ${page} is ${isLocal ? 'reported as local' : 'not reported'}`, () => {
    const { problems, destinations } = readMarkdown(`\n${page}\n`)
    assert.deepEqual(
      problems.map(({ rule, line }) => [rule, line]),
      isLocal ? [['link-local', 2]] : [],
    )
    assert.deepEqual(destinations, [])
  })
