import assert from 'node:assert/strict'
import test from 'node:test'
import { editorPaths, followedForges, followedPlace } from '#program/compose/editor.ts'
import { DEFAULT_SETTINGS } from '../../support/service.ts'

const sources = (...urls: string[]) => urls.map(url => ({ url, publish: 'auto' }) as const)
const ADDRESS = 'https://github.com/acme/brand/edit/main/{path}'

test('the followed forges are those on the first host of each kind', () => {
  const seen = followedForges(
    sources(
      'git@github.com:acme/brand.git',
      'https://git.example/acme/brand',
      'https://github.acme.example/acme/brand.git',
      'ssh://git@gitlab.acme.example:2222/acme/sub/brand.git',
      'https://github.com/acme/shop',
      'https://gitlab.com/acme/brand',
    ),
  ).map(({ name, origin, repo }) => ({ name, origin, repo }))
  assert.deepEqual(seen, [
    { name: 'github', origin: 'https://github.com', repo: 'acme/brand' },
    { name: 'gitlab', origin: 'https://gitlab.acme.example', repo: 'acme/sub/brand' },
    { name: 'github', origin: 'https://github.com', repo: 'acme/shop' },
  ])
})

test('an edit address has an editor only in a followed repository', () => {
  const forges = sources('https://github.com/Acme/Brand.git')
  assert.equal(followedPlace(forges, ADDRESS)?.branch, 'main')
  for (const other of [
    ADDRESS.replace('github.com', 'github.evil.example'),
    ADDRESS.replace('https', 'http'),
    ADDRESS.replace('acme/brand', 'acme/other'),
    'https://gitlab.com/acme/brand/-/edit/main/{path}',
    'https://git.example/edit?file={path}',
  ])
    assert.equal(followedPlace(forges, other), undefined, other)
})

test('the editor is at the root for one repository, below its workspace for several, and always at the root in dev', () => {
  const one = sources('https://github.com/acme/brand.git')
  const several = [...one, ...sources('https://github.com/acme/shop')]
  const pathFor = (git: typeof one, isLive = false) =>
    editorPaths({ ...DEFAULT_SETTINGS, git }, '/base', isLive)?.('acme', { template: ADDRESS, folder: '', pages: {} })
  const seen = [pathFor(one), pathFor(several), pathFor([]), pathFor([], true)]
  assert.deepEqual(seen, ['/base', '/base/acme', undefined, '/base'])
})

test('the source of a derived address tells a branch with a slash from a folder', () => {
  const [source = assert.fail()] = sources('https://github.com/acme/brand.git')
  const place = { name: 'github', origin: 'https://github.com', repo: 'acme/brand' }
  const address = 'https://github.com/acme/brand/edit/next/2026/guide/{path}'
  for (const ref of ['next/2026', 'refs/heads/next/2026'])
    assert.deepEqual(followedPlace([{ ...source, ref, path: 'guide' }], address), {
      ...place,
      branch: 'next/2026',
      path: 'guide',
    })
  assert.deepEqual(followedPlace([source], address), { ...place, branch: 'next', path: '2026/guide' })
})

test('a repository at Gitea has an editor, except for changes that wait for review', () => {
  const git = sources('https://gitea.example.com/acme/brand')
  const links = { template: 'https://gitea.example.com/acme/brand/_edit/main/{path}', folder: '', pages: {} }
  const paths = editorPaths({ ...DEFAULT_SETTINGS, git }, '')
  assert.deepEqual([paths?.('acme', links), paths?.('acme', { ...links, isReviewed: true })], ['', undefined])
})
