import assert from 'node:assert/strict'
import test from 'node:test'
import { canonicalOrigin, isThisMachine, urlsOfHosts, withoutCredentials } from '#platform/base/server-url.ts'

const CASES: readonly [url: string, urls: readonly string[] | undefined][] = [
  ['postgres://a/x', ['postgres://a/x']],
  ['postgres://u:p@a,b:5433/x?y=1', ['postgres://u:p@a/x?y=1', 'postgres://u:p@b:5433/x?y=1']],
  ['postgres://u:p%40,@[::1]:1,[::2]/x', ['postgres://u:p%40,@[::1]:1/x', 'postgres://u:p%40,@[::2]/x']],
  ['postgres:///x?host=/run', ['postgres:///x?host=/run']],
  ['postgres://a:1,b:99999/x', undefined],
  ['no address', undefined],
]
for (const [url, urls] of CASES)
  test(`${url} becomes ${urls?.join(' and ') ?? 'undefined'}`, () => assert.deepEqual(urlsOfHosts(url), urls))

const ADDRESSES: readonly [address: string, shown: string][] = [
  ['https://user:p@a/b#c@host/path', 'https://…@host/path'],
  ['https://a:b@c.example=acme,https://d:e@f.example', 'https://…@f.example'],
  ['user:p@a/b#c%@host:path', '…@host:path'],
  ['https:user:p@a@host/path', '…@host/path'],
  ['git@host:path', 'git@host:path'],
  ['https://host/path', 'https://host/path'],
]
for (const [address, shown] of ADDRESSES)
  test(`${address} is ${shown} in a message`, () => assert.equal(withoutCredentials(address), shown))

const ORIGINS: readonly [address: string, canonical: string][] = [
  ['HTTPS://Brand.Test:443', 'https://brand.test/'],
  ['http://Brand.test:8080/A/../b/%2E/', 'http://brand.test:8080/A/../b/%2E/'],
  ['http://brand.test?A=b', 'http://brand.test/?A=b'],
  ['http://brand.test//A', 'http://brand.test//A'],
  ['http://Name@Brand.test/', 'http://Name@Brand.test/'],
  ['/A', '/A'],
]
for (const [address, canonical] of ORIGINS)
  test(`${address} has the canonical origin and the same path in ${canonical}`, () =>
    assert.equal(canonicalOrigin(address), canonical))

const HERE = ['localhost', 'localhost.', 'login.localhost', 'a.b.localhost.', '127.0.0.1', '127.8.9.10', '[::1]']
const ELSEWHERE = ['', '.', 'localhost.a', 'xlocalhost', 'localhost..', '127.1', '127.0.0.1.a', '10.0.0.1', '[::2]']
for (const [names, isHere] of [
  [HERE, true],
  [ELSEWHERE, false],
] as const)
  for (const name of names)
    test(`the host name ${JSON.stringify(name)} ${isHere ? 'always means' : 'may mean another than'} this machine`, () =>
      assert.equal(isThisMachine(name), isHere))
