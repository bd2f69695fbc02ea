import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { logLine, readableLine } from '#platform/telemetry/log.ts'

/** Returns a log line without its time. */
function lineOf(fields: object) {
  const line = logLine('error', fields, 'it failed')
  assert.equal(line.indexOf('\n'), line.length - 1)
  const { time, ...said } = JSON.parse(line)
  assert.equal(new Date(time).toISOString(), time)
  return said
}

test('a log line has a level, a time, its fields and a message, in this order', () => {
  const line = JSON.parse(logLine('warn', { task: 'page', author: 'acme' }, 'a process failed'))
  assert.deepEqual(Object.keys(line), ['level', 'time', 'task', 'author', 'msg'])
  assert.deepEqual(
    { ...line, time: '' },
    { level: 40, time: '', task: 'page', author: 'acme', msg: 'a process failed' },
  )
})

test('an error is logged with its type and code, and with the messages and stacks of its causes', () => {
  const cause = Object.assign(new TypeError('no such file'), { code: 'ENOENT' })
  const error = Object.assign(new RangeError('cannot read', { cause }), { code: 'unreadable', isLost: true, tries: 3 })
  assert.deepEqual(lineOf({ err: error, requestId: '7' }), {
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

test('an aggregate error is logged with each of its errors', () => {
  const errors = [new Error('refused by ::1'), new Error('refused by 127.0.0.1')]
  const { err } = lineOf({ err: new AggregateError(errors, 'refused') })
  const each = errors.map(({ message, stack }) => ({ type: 'Error', message, stack }))
  assert.deepEqual([err.type, err.message, err.aggregateErrors], ['AggregateError', 'refused', each])
})

test('an error is logged without circular references, circular causes and large objects', () => {
  const error: Error & { socket?: object } = new Error('reset')
  error.cause = error
  error.socket = { error, buffer: Buffer.alloc(10_000) }
  assert.deepEqual(lineOf({ err: error }).err, { type: 'Error', message: 'reset', stack: error.stack })
})

test('a thrown value that is not an error is logged unchanged', () => {
  assert.deepEqual(lineOf({ err: 'stopped' }), { level: 50, err: 'stopped', msg: 'it failed' })
})

test('a thrown value that JSON cannot represent is logged as a string', () => {
  const ring: { next?: object } = {}
  ring.next = ring
  assert.deepEqual(lineOf({ err: ring }), {
    level: 50,
    fields: '{ err: <ref *1> { next: [Circular *1] } }',
    msg: 'it failed',
  })
  assert.deepEqual(lineOf({ err: 1n }), { level: 50, fields: '{ err: 1n }', msg: 'it failed' })
})

test('a readable line has the local time, the level and the message; its fields follow, the error with its stack last', t => {
  t.mock.timers.enable({ apis: ['Date'], now: new Date(2026, 10, 23, 9, 5, 7, 42) })
  const err = Object.assign(new RangeError('cannot read'), { stack: 'RangeError: "x"\n    at main', code: 'EX' })
  const fields = { err, task: 'a "page"\n', left: { pages: [1] }, none: undefined }
  const lines = stripVTControlCharacters(readableLine('warn', fields, 'it failed'))
  assert.equal(
    lines,
    `[09:05:07.042] WARN: it failed
    task: "a \\"page\\"\\n"
    left: {
      "pages": [
        1
      ]
    }
    err: {
      "type": "RangeError",
      "message": "cannot read",
      "stack":
          RangeError: "x"
              at main
      "code": "EX"
    }
`,
  )
})
