import assert from 'node:assert/strict'
import test from 'node:test'
import { urlsOfHosts } from '../../src/base/server-url.ts'

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
