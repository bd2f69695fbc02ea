import assert from 'node:assert/strict'
import test from 'node:test'
import { gitUrlForm, parseGitPath, parseGitRef, parseGitUrl } from '#platform/settings/git-source.ts'
import { golden } from '../../support/golden.ts'

golden('settings/repositories', ({ text }: { text: string }) => parseGitUrl(text) ?? 'none')

for (const [text, isLocal] of [
  ['file:///srv/brand.git', true],
  ['FILE:/srv/brand.git', true],
  ['/srv/brand.git', true],
  ['../brand.git', true],
  ['~/brand', true],
  ['examples/acme', true],
  ['brand', true],
  ['github.com/acme/brand.git', false],
  ['http://git.example/brand.git', false],
  ['git@host:-brand.git', false],
] as const)
  test(`the message about ${text} ${isLocal ? 'says' : 'does not say'} how to serve a folder of this machine`, () => {
    const form = gitUrlForm(text)
    assert.equal(form.includes('without --git, as in `housestyle serve ./brand`'), isLocal)
    assert.equal(form.includes('ssh://localhost/srv/brand.git'), isLocal)
    assert.notEqual(parseGitUrl('ssh://localhost/srv/brand.git'), undefined)
  })

test('the name of a branch or tag follows the rules of git', () => {
  for (const name of ['main', 'feature/new-logo', 'v1.0', 'refs/heads/main', 'ä', '1234567'])
    assert.equal(parseGitRef(name), name)
  const bad = ['', '-main', 'a..b', 'a b', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[', 'a\\b', '/a', 'a/', 'a//b', 'a.', '.a']
  for (const name of [...bad, 'a.lock', 'a/.b', '@', 'a@{1}', 'a\u0000', '--upload-pack=x'])
    assert.equal(parseGitRef(name), undefined, name)
})

test('a folder in a repository is relative and stays inside it', () => {
  for (const [text, path] of [
    ['brand/', 'brand'],
    ['./brand/guide', 'brand/guide'],
    ['a b', 'a b'],
    ['.', ''],
    ['./', ''],
    ['', ''],
  ] as const)
    assert.equal(parseGitPath(text), path)
  for (const text of ['/', '/brand', '..', 'a/../b', 'a//b', 'a/./b', '.git', 'a/.GIT/b', 'a\\b', 'a\nb'])
    assert.equal(parseGitPath(text), undefined, text)
})
