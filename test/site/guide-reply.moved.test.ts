import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '../support/service.ts'

const { ask, follow, temporary } = await servedBrand({
  'open/pages/index.md': '---\naliases: start/here\n---\n# Home\n',
  'open/pages/logo/cover.md': '---\naliases: [archive/2019/cover, 한/글]\n---\n# Cover\n',
})

const MOVED: [from: string, to: string][] = [
  ['/archive/2019/cover', '/logo/cover'],
  ['/archive/2019/cover.md', '/logo/cover.md'],
  ['/archive/2019/cover?a=1&b=%2F', '/logo/cover?a=1&b=%2F'],
  ['/archive%2F2019/cover', '/logo/cover'],
  ['/%ED%95%9C/%EA%B8%80', '/logo/cover'],
  ['/start/here', ''],
  ['/start/here.md?x', '.md?x'],
]

for (const [from, to] of MOVED)
  test(`the former address of a page always redirects to it: ${from}`, async () => {
    for (const method of ['GET', 'HEAD'])
      for (const accept of ['text/html', '*/*']) {
        const { status, headers } = await ask(`/acme/open${from}`, { method, headers: { accept } })
        assert.deepEqual([status, headers.get('location')], [308, `/acme/open${to}`])
        assert.deepEqual([headers.get('cache-control'), headers.get('vary')], ['public, no-cache', 'Accept-Encoding'])
      }
    const { status, text } = await ask(`/acme/open${to}`)
    assert.deepEqual([status, /Cover|Home/.test(text)], [200, true])
  })

test('no other address is treated as a former one', async () => {
  for (const below of [
    '/archive/2019',
    '/archive/2019/Cover',
    '/archive/2019/cover.md.md',
    '/archive/2019/cover.html',
    '/.md',
  ])
    assert.equal((await ask(`/acme/open${below}`)).status, 404, below)
})

test('a page published at a former address is served there again', async () => {
  await temporary.publishing('acme/open', {
    'open/pages/logo/cover.md': '# Cover\n',
    'open/pages/archive/2019/cover.md': '# The cover of 2019\n',
  })
  await follow()
  const { status, text } = await ask('/acme/open/archive/2019/cover')
  assert.deepEqual([status, text.includes('The cover of 2019')], [200, true])
})
