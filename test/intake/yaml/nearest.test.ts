import assert from 'node:assert/strict'
import test from 'node:test'
import { nearest } from '#intake/yaml/nearest.ts'

const words = ['name', 'hex', 'contentType', 'small-caps', 'uppercase']
const cases: [written: string, meant: string | undefined][] = [
  ['nmae', 'name'],
  ['Name', 'name'],
  ['hexx', 'hex'],
  ['content_type', 'contentType'],
  ['contenttype', 'contentType'],
  ['smallcaps', 'small-caps'],
  ['upper', 'uppercase'],
  ['n', undefined],
  ['', undefined],
  ['opacity', undefined],
  ['x'.repeat(1_000_000), undefined],
]
for (const [written, meant] of cases)
  test(`the suggestion for ${JSON.stringify(written.slice(0, 20))} is ${meant}`, () =>
    assert.equal(nearest(written, words), meant))

test('an empty list of words gives no suggestion', () => assert.equal(nearest('name', []), undefined))
