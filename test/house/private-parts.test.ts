import assert from 'node:assert/strict'
import test from 'node:test'
import { findPrivateParts } from './private-parts.ts'

const path = 'src/program/http/a.ts'

for (const use of [
  'Object.getOwnPropertySymbols(socket)',
  "Reflect.get(socket, 'kBuffer')",
  'Reflect.apply(listener, socket, [])',
  "Reflect.set(records, 'fontFeatures', {})",
  'Reflect.ownKeys(socket)',
  "socket[Symbol.for('undici.globalDispatcher')]",
  'socket._handle',
  'socket?._handle.fd',
  "socket['_handle']",
  'server()._connections',
  'const { _handle } = socket',
  "'_handle' in socket",
  "setFlagsFromString('--max-lazy')",
  "readFileSync('/proc/net/tcp')",
]) {
  test(`${use} is rejected as private`, () => {
    const found = findPrivateParts([{ path, text: `const a = 1\n${use}` }])
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', /^src\/program\/http\/a\.ts:2 "/)
  })
}

for (const use of [
  'socket.remoteAddress',
  'socket[Symbol.asyncDispose]()',
  "import { maxmind } from './_x.ts'",
  'const a_b = c.a_b',
  'const { from: _from, to } = change',
  "field(socket, 'handle')",
  '// `socket._handle` and /proc/net are private.',
  ' * reads `Reflect.get` and /proc/self',
]) {
  test(`${use} is accepted as public`, () => {
    assert.deepEqual(findPrivateParts([{ path, text: use }]), [])
  })
}

test('a private part with a reason is accepted only in the file with the reason', () => {
  const text = 'return Reflect.get(value, key)'
  assert.deepEqual(findPrivateParts([{ path: 'src/platform/base/object.ts', text }]), [])
  assert.equal(findPrivateParts([{ path, text }]).length, 1)
})
