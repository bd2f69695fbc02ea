import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiBelow, openApiDocument } from '#brand/contract/openapi.ts'
import { refusePath } from '#brand/contract/route.ts'

test('for a public URL with a path, only the addresses in the document change', () => {
  const document = JSON.stringify(openApiDocument({ listFiles: { files: [{ url: 'https://brand.example.com/a' }] } }))
  const moved = openApiBelow('/brand', document)
  const addresses = Array.from(moved.matchAll(/"(?:url|tokenUrl)": "([^"]*)"/g), ([, address]) => address)
  assert.deepEqual(
    new Set(addresses),
    new Set([
      '/brand/docs',
      '/brand/beta',
      '/brand/revision/{revision}/beta',
      '/brand',
      '/brand/oauth/token',
      'https://brand.example.com/a',
    ]),
  )
  const back = moved.replaceAll('"/brand"', '"/"').replace(/("(?:url|tokenUrl)": ")\/brand/g, '$1')
  assert.deepEqual(JSON.parse(back), JSON.parse(document))
})

test('the reply to a path without an id names the parameter as the document does', () => {
  const { paths } = openApiDocument({})
  const written = Object.keys(paths).filter(path => path.startsWith('/workspace'))
  for (const path of written)
    for (const [before, name] of Array.from(path.matchAll(/\/\{(\w+)\}/g), ({ index, 1: id }) => [
      path.slice(0, index),
      id,
    ])) {
      const { id, description } = refusePath(before ?? '', written)
      assert.deepEqual([id, description.split(' ').at(-1)], ['missing-id', name])
    }
})
