import assert from 'node:assert/strict'
import test from 'node:test'
import { requestRoute } from '#program/http/node/request-trace.ts'

test('a request has the pattern of its address, also below a draft and a base path', () => {
  const routes = {
    '/': '/',
    '/acme/guidelines/-/colors': '/{workspace}/{project}/-/colors',
    '/brand/acme/guidelines/-/draft/logo/misuse': '/{workspace}/{project}/-/draft/{page}',
  }
  const patterns = Object.keys(routes).map(path => [path, requestRoute(path, '/brand').route])
  assert.deepEqual(Object.fromEntries(patterns), routes)
})

for (const [sent, traced] of [
  ['/acme/guidelines/-/files', '/acme/guidelines/-/files'],
  ['/acme/guidelines/-/files/key/logo.svg', '/acme/guidelines/-/files/REDACTED/logo.svg'],
  ['/acme/guidelines/-/thumbnails/key/320/a.webp', '/acme/guidelines/-/thumbnails/REDACTED/320/a.webp'],
  ['/acme/guidelines/-/png/key/a.svg.png', '/acme/guidelines/-/png/REDACTED/a.svg.png'],
  ['/brand/acme/guidelines/-/share/secret', '/brand/acme/guidelines/-/share/REDACTED'],
  ['/acme/guidelines/-/draft/-/share/secret', '/acme/guidelines/-/draft/-/share/REDACTED'],
  ['/acme/guidelines/-/draft/-/files/key/logo.svg', '/acme/guidelines/-/draft/-/files/REDACTED/logo.svg'],
  ['/acme/guidelines/%2D/%73hare/secret', '/acme/guidelines/%2D/%73hare/REDACTED'],
  ['/acme/guidelines/-/consent/id', '/acme/guidelines/-/consent/REDACTED'],
  ['/oauth/consent/id', '/oauth/consent/REDACTED'],
  ['/brand/oauth/%61uthorize/id', '/brand/oauth/%61uthorize/REDACTED'],
  ['/acme/guidelines/share/logo', '/acme/guidelines/share/logo'],
] as const)
  test(`${sent} is traced as ${traced}`, () => {
    assert.equal(requestRoute(sent, '/brand').path, traced)
  })

test('a very long path is cut off', () => {
  assert.equal(requestRoute(`/${'x'.repeat(8000)}`).path.length, 1024)
})
