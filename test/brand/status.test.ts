import assert from 'node:assert/strict'
import test from 'node:test'
import { projectStatus } from '#brand/status.ts'

const table: [isCopying: boolean, isPublished: boolean, isDraftPublished: boolean, status: string][] = [
  [true, true, true, 'Processing'],
  [true, false, false, 'Processing'],
  [false, false, false, 'Draft'],
  [false, true, true, 'UpToDate'],
  [false, true, false, 'Changed'],
]
for (const [isCopying, isPublished, isDraftPublished, status] of table)
  test(`a project is ${status} when ${JSON.stringify({ isCopying, isPublished, isDraftPublished })}`, () =>
    assert.equal(projectStatus({ isCopying, isPublished, isDraftPublished }), status))
