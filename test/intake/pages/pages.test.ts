import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from '../reading.ts'

test('README.md is the index of its folder, and its earlier id leads there', async () => {
  const { drafts, findings } = await read({
    'pages/README.md': '# Home\n\n[Logo](logo/) [same](logo/README.md) [old](logo/readme.md)\n',
    'pages/logo/readme.md': '# Logo\n\n[Home](../README.md)\n',
    'pages/Our Type/README.md': '# Type\n\n[Home](/) [Logo](../logo/)\n',
  })
  assert.deepEqual(findings, [])
  assert.deepEqual(
    drafts[0]?.pages.map(({ id, name, aliases }) => [id, name, aliases]),
    [
      ['index', 'Home', ['readme']],
      ['logo', 'Logo', ['logo/readme']],
      ['our-type', 'Type', ['our-type/readme']],
    ],
  )
})

test('README.md next to index.md is an error', async () => {
  const { findings } = await read({ 'pages/a/index.md': '# A\n', 'pages/a/README.md': '# A\n' })
  assert.deepEqual(lines(findings), ['pages/a/README.md: error id-taken', 'pages/a/index.md: error id-taken'])
})
