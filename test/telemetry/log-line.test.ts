import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logLine } from '../../src/telemetry/log-line.ts'

/** What a line says besides its time. */
function told(fields: object) {
  const line = logLine('error', fields, 'it failed')
  assert.equal(line.indexOf('\n'), line.length - 1)
  const { time, ...said } = JSON.parse(line)
  assert.equal(new Date(time).toISOString(), time)
  return said
}

test('a line of the log has a level, a time, its fields and what happened, in this order', () => {
  const line = JSON.parse(logLine('warn', { task: 'page', author: 'acme' }, 'a process failed'))
  assert.deepEqual(Object.keys(line), ['level', 'time', 'task', 'author', 'msg'])
  assert.deepEqual(
    { ...line, time: '' },
    { level: 40, time: '', task: 'page', author: 'acme', msg: 'a process failed' },
  )
})

test('an error is logged with its type and code, and with the messages and stacks of what caused it', () => {
  const cause = Object.assign(new TypeError('no such file'), { code: 'ENOENT' })
  const error = Object.assign(new RangeError('cannot read', { cause }), { code: 'unreadable', isLost: true, tries: 3 })
  assert.deepEqual(told({ err: error, requestId: '7' }), {
    level: 50,
    err: {
      type: 'RangeError',
      message: 'cannot read: no such file',
      stack: `${error.stack}\ncaused by: ${cause.stack}`,
      code: 'unreadable',
      isLost: true,
      tries: 3,
    },
    requestId: '7',
    msg: 'it failed',
  })
})

test('an error of several is logged with each of them', () => {
  const errors = [new Error('refused by ::1'), new Error('refused by 127.0.0.1')]
  const { err } = told({ err: new AggregateError(errors, 'refused') })
  const each = errors.map(({ message, stack }) => ({ type: 'Error', message, stack }))
  assert.deepEqual([err.type, err.message, err.aggregateErrors], ['AggregateError', 'refused', each])
})

test('an error that holds itself, is its own cause or has large things with it is logged without them', () => {
  const error: Error & { socket?: object } = new Error('reset')
  error.cause = error
  error.socket = { error, buffer: Buffer.alloc(10_000) }
  assert.deepEqual(told({ err: error }).err, { type: 'Error', message: 'reset', stack: error.stack })
})

test('what was thrown and is no error is logged as it is', () => {
  assert.deepEqual(told({ err: 'stopped' }), { level: 50, err: 'stopped', msg: 'it failed' })
})

test('what was thrown and cannot be written as JSON is logged as text', () => {
  const ring: { next?: object } = {}
  ring.next = ring
  assert.deepEqual(told({ err: ring }), {
    level: 50,
    fields: '{ err: <ref *1> { next: [Circular *1] } }',
    msg: 'it failed',
  })
  assert.deepEqual(told({ err: 1n }), { level: 50, fields: '{ err: 1n }', msg: 'it failed' })
})
