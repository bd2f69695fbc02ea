import assert from 'node:assert/strict'
import test from 'node:test'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { requestRoute } from '../../../src/http/node/request-route.ts'

for (const { path, isFrozen } of OPERATIONS)
  test(`${path} has its own pattern, also below a base path and at a revision`, () => {
    const sent = `/beta${path.replaceAll(/\{\w+\}/g, 'x')}`
    assert.deepEqual(requestRoute(sent), { route: `/beta${path}`, path: sent })
    assert.deepEqual(requestRoute(`/brand${sent}`, '/brand'), { route: `/beta${path}`, path: `/brand${sent}` })
    if (isFrozen) assert.equal(requestRoute(`/revision/7${sent}`).route, `/revision/{revision}/beta${path}`)
  })

test('the pattern of any other address contains no workspace, project, page or file', () => {
  const routes = {
    '/': '/',
    '*': '*',
    '/healthz': '/healthz',
    '/sitemap.xml': '/sitemap.xml',
    '/docs': '/docs',
    '/assets/site.css': '/assets/{name}',
    '/schemas/colors.json': '/schemas/{name}',
    '/.well-known/jwks.json': '/.well-known/{name}',
    '/oauth/token': '/oauth/token',
    '/oauth/authorize': '/oauth/authorize',
    '/oauth/authorize/id': '/oauth/authorize/{id}',
    '/oauth/consent/id': '/oauth/consent/{id}',
    '/oauth/elsewhere': '/oauth/{path}',
    '/acme/guidelines/-/consent/id': '/{workspace}/{project}/-/consent/{id}',
    '/-/signin': '/-/{action}',
    '/-/signed-in': '/-/{action}',
    '/events/workspace/acme': '/events/workspace/{workspace}',
    '/events/workspace/acme/project/guidelines': '/events/workspace/{workspace}/project/{project}',
    '/beta/elsewhere': '/beta/{path}',
    '/acme': '/{workspace}',
    '/acme/guidelines': '/{workspace}/{project}',
    '/acme/guidelines/logo/misuse': '/{workspace}/{project}/{page}',
    '/acme/guidelines/-/colors': '/{workspace}/{project}/-/{view}',
    '/acme/guidelines/-/files.zip': '/{workspace}/{project}/-/{view}',
    '/acme/guidelines/-/exports/css': '/{workspace}/{project}/-/exports/{format}',
    '/acme/guidelines/-/files/abc/logo.svg': '/{workspace}/{project}/-/files/{key}/{filename}',
    '/acme/guidelines/-/thumbnails/abc/320/a.webp': '/{workspace}/{project}/-/thumbnails/{key}/{width}/{filename}',
    '/acme/guidelines/-/png/abc/a.svg.png': '/{workspace}/{project}/-/png/{key}/{filename}',
    '/acme/guidelines/-/share/secret': '/{workspace}/{project}/-/share/{secret}',
    '/acme/guidelines/-/draft': '/{workspace}/{project}/-/draft',
    '/acme/guidelines/-/draft/logo/misuse': '/{workspace}/{project}/-/draft/{page}',
    '/acme/guidelines/-/draft/-/colors': '/{workspace}/{project}/-/draft/-/{view}',
    '/acme/guidelines/-/draft/-/files/abc/logo.svg': '/{workspace}/{project}/-/draft/-/files/{key}/{filename}',
    '/acme/guidelines/-/draft/-/share/secret': '/{workspace}/{project}/-/draft/-/share/{secret}',
  }
  const found = Object.keys(routes).map(path => [path, requestRoute(path).route])
  assert.deepEqual(Object.fromEntries(found), routes)
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
