import assert from 'node:assert/strict'
import test from 'node:test'
import { forgeOf } from '#brand/forge.ts'

test('an edit address at GitHub or GitLab names the repository, the branch and the folder', () => {
  const github = { name: 'github', origin: 'https://github.com', repo: 'acme/brand', branch: 'main' }
  assert.deepEqual(forgeOf('https://github.com/acme/brand/edit/main/{path}'), { ...github, path: '' })
  assert.deepEqual(forgeOf('https://github.com/acme/brand/edit/main/brand/guide/{path}'), {
    ...github,
    path: 'brand/guide',
  })
  assert.deepEqual(forgeOf('https://codeberg.org/acme/brand/_edit/main/{path}'), {
    name: 'gitea',
    origin: 'https://codeberg.org',
    repo: 'acme/brand',
    branch: 'main',
    path: '',
  })
  assert.deepEqual(forgeOf('https://gitlab.example.com/agency/acme/brand/-/edit/main/{path}'), {
    name: 'gitlab',
    origin: 'https://gitlab.example.com',
    repo: 'agency/acme/brand',
    branch: 'main',
    path: '',
  })
})

test('an edit address of another host or form names no place', () => {
  for (const address of [
    'https://example.com/acme/brand/edit/main/{path}',
    'https://github.com/acme/brand/blob/main/{path}',
    'https://github.com/brand/edit/main/{path}',
    'https://github.com/acme/brand/edit/main/guide-{path}',
    'https://github.com/acme/brand/edit/%ff/{path}',
    'nowhere',
  ])
    assert.equal(forgeOf(address), undefined, address)
})
