import assert from 'node:assert/strict'
import test from 'node:test'
import { pageKey } from '#site/page-key.ts'

const VIEW = { kind: 'view', content: 'acme/guide@1', day: '2026-01-01', query: '', reader: '', below: '' } as const

test('each difference between two pages gives another key, also a line break in a path', () => {
  const keys = [
    VIEW,
    { ...VIEW, content: 'acme/guide@2' },
    { ...VIEW, day: '2026-01-02' },
    { ...VIEW, query: '?use=print' },
    { ...VIEW, reader: '["Ada",false,true]' },
    { ...VIEW, below: '["Ada",false,true]' },
    { ...VIEW, below: '\n["Ada",false,true]' },
    { ...VIEW, below: 'logo' },
    { kind: 'missing', content: VIEW.content, reader: '', closest: [] },
    { kind: 'missing', content: VIEW.content, reader: '', closest: ['logo'] },
    { kind: 'workspace', content: VIEW.content, reader: '' },
    { kind: 'home', version: 1, reader: '' },
  ] as const
  assert.equal(new Set(keys.map(pageKey)).size, keys.length)
})
