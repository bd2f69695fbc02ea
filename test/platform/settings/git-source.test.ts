import assert from 'node:assert/strict'
import test from 'node:test'
import { gitUrlForm, parseGitPath, parseGitRef, parseGitUrl } from '#platform/settings/git-source.ts'

const URLS: readonly [text: string, isValid: boolean][] = [
  ['https://github.com/acme/brand.git', true],
  ['https://git.example:8443/acme/brand', true],
  ['ssh://git@git.example:2222/acme/brand.git', true],
  ['ssh://git.example/acme/brand.git', true],
  ['git@github.com:acme/brand.git', true],
  ['http://127.0.0.1:8080/brand.git', true],
  ['http://localhost/brand.git', true],
  ['http://git.localhost./brand.git', true],
  ['http://[::1]:8080/brand.git', true],
  ['http://git.example/brand.git', false],
  ['http://127.0.0.1.evil.example/brand.git', false],
  ['https://ada@git.example/brand.git', false],
  ['https://ada:hunter2@git.example/brand.git', false],
  ['https://@git.example/brand.git', false],
  ['ssh://git:hunter2@git.example/brand.git', false],
  ['ssh://-oProxyCommand=x/brand.git', false],
  ['-oProxyCommand=x@host:brand.git', false],
  ['git@-host:brand.git', false],
  ['git@host:-brand.git', false],
  ['file:///srv/brand.git', false],
  ['/srv/brand.git', false],
  ['../brand.git', false],
  ['git://git.example/brand.git', false],
  ['ext::sh -c id', false],
  ['https://git.example/', false],
  ['https://git.example/brand.git?x=1', false],
  ['https://git.example/brand.git#main', false],
  ['https://git.example/brand .git', false],
  ['https://git.example/brand\n.git', false],
  ['--upload-pack=x', false],
  ['', false],
]

for (const [text, isValid] of URLS)
  test(`${JSON.stringify(text)} is ${isValid ? 'the' : 'no'} address of a repository`, () =>
    assert.equal(parseGitUrl(text), isValid ? text : undefined))

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

test('the scheme of an address may have any case, and is kept in lower case', () => {
  for (const [text, url] of [
    ['HTTPS://Git.example/Acme/Brand.git', 'https://Git.example/Acme/Brand.git'],
    ['Ssh://git@git.example/brand.git', 'ssh://git@git.example/brand.git'],
    ['HTTP://localhost/brand.git', 'http://localhost/brand.git'],
    ['HTTP://git.example/brand.git', undefined],
    ['FILE:///srv/brand.git', undefined],
    ['HTTPS://ada@git.example/brand.git', undefined],
  ] as const)
    assert.equal(parseGitUrl(text), url)
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
