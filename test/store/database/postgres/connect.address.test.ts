import assert from 'node:assert/strict'
import test from 'node:test'
import { readPostgresAddress } from '#store/database/postgres/connect.ts'

const CASES: readonly [address: string, names: readonly string[], target: string, connectMs: number][] = [
  ['postgres://a/x', ['a:5432'], 'any', 5000],
  ['postgres://a/x?target_session_attrs=primary&connect_timeout=2', ['a:5432'], 'primary', 2000],
  ['postgres://u:p@a,b:5433/x', ['a:5432', 'b:5433'], 'read-write', 5000],
  ['postgres://a,b/x?target_session_attrs=any', ['a:5432', 'b:5432'], 'any', 5000],
  ['postgres:///x?host=/run/postgresql', ['/run/postgresql'], 'any', 5000],
]
for (const [address, names, target, connectMs] of CASES)
  test(`${address} means ${names.join(' and ')}, with target ${target}`, () => {
    const read = readPostgresAddress(address)
    assert.deepEqual([read.hosts.map(({ name }) => name), read.target, read.connectMs], [names, target, connectMs])
  })
