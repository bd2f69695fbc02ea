import assert from 'node:assert/strict'
import test from 'node:test'
import { missingBy, needs } from './programs.ts'

test('a test is skipped with the names of all that is missing, from which the packages are known', t => {
  const { PATH } = process.env
  t.after(() => {
    process.env.PATH = PATH
  })
  process.env.PATH = ''
  const { skip } = needs('redis-server', 'curl')
  assert.equal(skip, 'redis-server, curl')
  assert.deepEqual(missingBy('redis-server, curl'), [
    { name: 'redis-server', packages: ['redis-server'] },
    { name: 'curl', packages: ['curl'] },
  ])
  assert.deepEqual(needs(), { skip: false })
})

test('what no package has is missing for a reason, and other texts are names without either', () => {
  assert.deepEqual(missingBy('root'), [{ name: 'root', packages: [], reason: 'run the tests as root' }])
  assert.deepEqual(missingBy('a codec'), [{ name: 'a codec', packages: [] }])
})
