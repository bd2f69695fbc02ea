import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutRunning } from '#adopt/printed/running.ts'

test('a small picture at one place of all pages is running; one that fills each page is not', () => {
  const corner = { left: 0, top: 0 }
  const picture = (bottom: number) => ({
    kind: 'picture' as const,
    isPlain: false,
    pixels: 600,
    ...corner,
    right: 600,
    bottom,
  })
  const page = { width: 600, height: 400, lines: [], shapes: [picture(400), picture(20)] }
  const { pages } = withoutRunning([page, page, page])
  const seen = pages.map(({ shapes }) => shapes.length)
  assert.deepEqual(seen, [1, 1, 1])
})
