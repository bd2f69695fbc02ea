import assert from 'node:assert/strict'
import test from 'node:test'
import { needs } from './programs.ts'

test('a test that needs a program which is not installed is skipped and says how to install it', t => {
  const { PATH } = process.env
  t.after(() => {
    process.env.PATH = PATH
  })
  process.env.PATH = ''
  assert.deepEqual(needs('redis-server'), { skip: 'redis-server is not installed: apt-get install redis-server' })
  assert.deepEqual(needs(), { skip: false })
})
