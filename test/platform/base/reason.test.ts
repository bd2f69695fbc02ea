import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonOf, withReason } from '#platform/base/reason.ts'

test('a message ends with the last line that another program printed, after a colon', () => {
  const said = 'Warning: added the host\r\nssh: connect to host git.example port 22: Connection refused\n\n'
  const reason = 'ssh: connect to host git.example port 22: Connection refused'
  assert.equal(withReason('check the address', said), `check the address: ${reason}`)
})

test('a message is unchanged if it already has the reason, or if nothing was printed', () => {
  assert.equal(withReason('it answered "busy"; try again later', 'busy'), 'it answered "busy"; try again later')
  assert.equal(withReason('check the address', ' \n'), 'check the address')
})

test('a reason has no control or format characters, also if the program printed them', () => {
  assert.equal(reasonOf('\u001b[31mNo user\u202e exists\tfor uid 1234\u0007'), '[31mNo user exists for uid 1234')
})

test('a reason has at most 200 characters', () => {
  assert.equal([...reasonOf('é'.repeat(200))].length, 200)
  assert.equal(reasonOf('😀'.repeat(201)), `${'😀'.repeat(199)}…`)
})

const SECRETS: readonly (readonly [said: string, reason: string])[] = [
  ['fatal: https://user:p/a@s@git.example/a.git is gone', 'fatal: https://…@git.example/a.git is gone'],
  ['no answer from https://h.example/x?sig=abc#f today', 'no answer from https://h.example/x?… today'],
  ['refused: Authorization: Bearer abc.def-ghijk', 'refused: Authorization: Bearer …'],
  ['bad token eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln', 'bad token …'],
  ['{"client_secret":"hunter22","error":"no"}', '{"client_secret":"…","error":"no"}'],
  ['connection failed: password=hunter22 host=db', 'connection failed: password=… host=db'],
  ['the key given-secret is unknown, given-secret', 'the key … is unknown, …'],
]

test('a reason has no credentials, address queries, tokens or known secrets', () => {
  for (const [said, reason] of SECRETS) assert.equal(reasonOf(said, ['given', 'given-secret', '']), reason)
})
