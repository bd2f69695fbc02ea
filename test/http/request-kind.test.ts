import assert from 'node:assert/strict'
import test from 'node:test'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { requestKind } from '../../src/http/request-kind.ts'

for (const { id, path, isFrozen } of OPERATIONS)
  test(`${path} is ${id}, also below a base path and at a revision`, () => {
    const sent = path.replaceAll(/\{\w+\}/g, 'x')
    assert.equal(requestKind(`/beta${sent}`), id)
    assert.equal(requestKind(`/brand/beta${sent}`, '/brand'), id)
    if (isFrozen) assert.equal(requestKind(`/revision/7/beta${sent}`), id)
  })

test('addresses outside the API are classified by purpose', () => {
  const kinds = {
    '/beta/workspace/acme/project/guidelines/page/logo/misuse/deep': 'getPage',
    '/beta/workspace/acme/project/guidelines/page/logo%2Fmisuse': 'getPage',
    '/beta/elsewhere': 'unknown',
    '/beta/workspace/acme/toString': 'unknown',
    '/oauth/token': 'token',
    '/events/workspace/acme': 'events',
    '/events/workspace/acme/project/guidelines': 'events',
    '/events/guidelines': 'page',
    '/healthz': 'health',
    '/readyz': 'health',
    '/metrics': 'metrics',
    '/.well-known/jwks.json': 'metadata',
    '/openapi.json': 'docs',
    '/assets/page.css': 'asset',
    '/': 'page',
    '/acme/guidelines/logo': 'page',
    '/acme/guidelines/-/colors': 'page',
    '/acme/guidelines/-/constructor': 'page',
    '/acme/guidelines/-/files/abc/logo.svg': 'file',
    '/acme/guidelines/-/files': 'page',
    '/acme/guidelines/-/files/fonts': 'page',
    '/acme/guidelines/-/files.zip': 'archive',
    '/acme/guidelines/-/kits/press.zip': 'archive',
    '/acme/guidelines/-/thumbnails/abc/320/a.webp': 'thumbnail',
    '/acme/guidelines/-/fonts/abc/sans-latin.woff2': 'font',
    '/acme/guidelines/-/png/abc/a.svg.png': 'png',
    '/acme/guidelines/-/exports/css': 'export',
    '/acme/guidelines/-/search': 'search',
    '/acme/guidelines/-/share/secret': 'share',
    '/acme/guidelines/-/draft': 'page',
    '/acme/guidelines/-/draft.md': 'page',
    '/acme/guidelines/-/draft/files/logo': 'page',
    '/acme/guidelines/-/draft/-/colors': 'page',
    '/acme/guidelines/-/draft/-/files/abc/logo.svg': 'file',
    '/acme/guidelines/-/draft/-/files': 'page',
    '/acme/guidelines/-/draft/-/mcp': 'page',
    '/acme/guidelines/-/draft/-/kits/press.zip': 'archive',
    '/acme/guidelines/-/draft/-/search': 'search',
    '/acme/guidelines/-/draft/-/share/secret': 'share',
    '*': 'page',
  }
  assert.deepEqual(Object.fromEntries(Object.keys(kinds).map(path => [path, requestKind(path)])), kinds)
  assert.equal(requestKind(undefined), 'malformed')
})
