import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'

const UNDICI = 'NativeModule internal/deps/undici/undici'

test('node:http is loaded without the HTTP client that an import would load', () => {
  const loaded = (script: string): boolean => {
    const program = `${script}; console.log(JSON.stringify(process.moduleLoadList.includes('${UNDICI}')))`
    return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
  }
  const own = JSON.stringify(new URL('../../../../src/program/http/node/node-http.ts', import.meta.url))
  assert.equal(loaded(`const { newServer } = await import(${own}); newServer(1)`), false)
  assert.equal(loaded("await import('node:http')"), true)
})
