import assert from 'node:assert/strict'
import test from 'node:test'
import { multipartBody } from '../../src/exchange/byteranges.ts'

test('parts are between boundaries, each with its type and range, and the body length is right', () => {
  const ranges = [
    { start: 0, end: 1 },
    { start: 8, end: 8 },
  ]
  const { contentType, parts, end, length } = multipartBody(ranges, 10, 'text/plain', 'edge')
  assert.equal(contentType, 'multipart/byteranges; boundary=edge')
  const decoder = new TextDecoder()
  const text = parts.map(({ head, range }) => `${decoder.decode(head)}[${range.start}-${range.end}]`).join('')
  assert.equal(
    text + decoder.decode(end),
    [
      '--edge',
      'Content-Type: text/plain',
      'Content-Range: bytes 0-1/10',
      '',
      '[0-1]',
      '--edge',
      'Content-Type: text/plain',
      'Content-Range: bytes 8-8/10',
      '',
      '[8-8]',
      '--edge--',
      '',
    ].join('\r\n'),
  )
  assert.equal(length, parts.reduce((sum, { head }) => sum + head.length, end.length) + 3)
})
