import assert from 'node:assert/strict'
import test from 'node:test'
import { layoutComment } from '#brand/markdown/layout-comment.ts'

test('a layout comment is a known word, or a word with a value', () => {
  assert.deepEqual([' full ', 'wide', 'split', '\n/ground\n', 'ground: ink', 'columns:3'].map(layoutComment), [
    { name: 'full' },
    { name: 'wide' },
    { name: 'split' },
    { name: '/ground' },
    { name: 'ground', value: 'ink' },
    { name: 'columns', value: 3 },
  ])
  for (const other of ['', 'Full', 'full: 1', 'ground', 'ground: deep ink', 'columns: 1', 'columns: 7', 'Todo', 'more'])
    assert.equal(layoutComment(other), undefined, other)
})
