import assert from 'node:assert/strict'
import test from 'node:test'
import { needs } from './programs.ts'

test('a test is skipped with installation advice if a program is missing', t => {
  const { PATH } = process.env
  t.after(() => {
    process.env.PATH = PATH
  })
  process.env.PATH = ''
  assert.deepEqual(needs('redis-server'), { skip: 'redis-server is not installed: apt-get install redis-server' })
  assert.deepEqual(needs(), { skip: false })
})
