import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathInside, pathOutside } from '#brand/contract/place.ts'

const GUIDE = { host: 'g.test', url: 'https://g.test', root: '/acme/guide', workspace: 'acme', project: 'guide' }
const WORKSPACE = { host: 'w.test', url: 'https://w.test', root: '/acme', workspace: 'acme' }

/** Paths at the host of a guide, of a workspace, and below the service. */
const SAME: readonly (readonly [guide: string | undefined, workspace: string | undefined, inside: string])[] = [
  ['/', '/guide', '/acme/guide'],
  ['/logo/use', '/guide/logo/use', '/acme/guide/logo/use'],
  ['/docs', '/guide/docs', '/acme/guide/docs'],
  ['/-/colors', '/guide/-/colors', '/acme/guide/-/colors'],
  ['/-/manage', '/guide/-/manage', '/acme/guide/-/manage'],
  [undefined, '/', '/acme'],
  [undefined, '/-/manage', '/acme/-/manage'],
  ['/-/sessions', '/-/sessions', '/acme/-/sessions'],
  ['/-/edit', '/-/edit', '/acme/-/edit'],
  ['/-/theme/1.css', '/-/theme/1.css', '/acme/-/theme/1.css'],
  ['/-/theme.css', '/guide/-/theme.css', '/acme/guide/-/theme.css'],
  ['/-/assets/1/site.css', '/-/assets/1/site.css', '/assets/1/site.css'],
  ['/-/signin', '/-/signin', '/-/signin'],
  ['/robots.txt', '/robots.txt', '/robots.txt'],
  ['/sitemap.xml', '/guide/sitemap.xml', '/acme/guide/sitemap.xml'],
  [undefined, '/sitemap.xml', '/sitemap.xml'],
  ['/.well-known/brand.json', undefined, '/acme/guide/-/exports/brand.json'],
  [undefined, '/.well-known/brand.json', '/.well-known/brand.json'],
  [
    '/.well-known/oauth-protected-resource/-/mcp',
    '/.well-known/oauth-protected-resource/guide/-/mcp',
    '/.well-known/oauth-protected-resource/acme/guide/-/mcp',
  ],
]

for (const [guide, workspace, inside] of SAME)
  test(`${inside} has an address at the host of its guide or workspace`, () => {
    for (const [place, path] of [
      [GUIDE, guide],
      [WORKSPACE, workspace],
    ] as const)
      if (path !== undefined) assert.equal(pathInside(place, path), inside)
  })

test('no path at a host leads outside its workspace, except for signing in and assets', () => {
  for (const path of ['/beta/workspace/acme', '/mcp', '/metrics', '/oauth/token', '/.well-known/jwks.json'])
    for (const place of [GUIDE, WORKSPACE])
      assert.ok(pathInside(place, path).startsWith(`${place.root}/`), `${place.host}${path}`)
})

test('a path below a guide or a workspace loses its start at their host', () => {
  assert.equal(pathOutside(GUIDE, '/acme/guide/logo'), '/logo')
  assert.equal(pathOutside(GUIDE, '/acme/guide'), '')
  assert.equal(pathOutside(GUIDE, '/acme/-/theme/1.css'), '/-/theme/1.css')
  assert.equal(pathOutside(WORKSPACE, '/acme/guide/logo'), '/guide/logo')
  assert.equal(pathOutside(WORKSPACE, '/acmes/guide'), '/acmes/guide')
})
