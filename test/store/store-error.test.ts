import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { asStoreError, outageOf, StoreError } from '#store/store-error.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

for (const [fields, code, message] of [
  [{ code: 'ENOSPC' }, 'store_full', 'the disk of /data is full, so the operation was undone: '],
  [{ errcode: 13 }, 'store_full', 'the disk of /data is full, so the operation was undone: '],
  [{ code: 'EMFILE' }, 'descriptors_exhausted', 'cannot use the store in /data: the limit of open files is reached; '],
  [{ code: 'EACCES', path: '/data/files' }, 'store_unreadable', '/data/files cannot be used (it failed): '],
  [{ errcode: 8 }, 'store_unreadable', 'a file in /data cannot be used (it failed): '],
] as const)
  test(`an error with ${JSON.stringify(fields)} is reported as ${code}`, () => {
    const cause = Object.assign(new Error('it failed'), fields)
    const explained = asStoreError(cause, '/data')
    assert.ok(explained instanceof StoreError)
    assert.deepEqual([explained.code, explained.cause], [code, cause])
    assert.ok(explained.message.startsWith(message), explained.message)
  })

test('any other error stays unchanged', () => {
  const error = new Error('a fault of the program')
  assert.equal(asStoreError(error, '/data'), error)
})

/** Opens files until the limit is reached, then a database, and prints the explanation of the error. */
const PROGRAM = `
  import { openSync } from 'node:fs'
  import { DatabaseSync } from 'node:sqlite'
  import { outageOf } from ${JSON.stringify(import.meta.resolve('#store/store-error.ts'))}
  try {
    for (;;) openSync('/dev/null', 'r')
  } catch {}
  try {
    new DatabaseSync(process.argv[1]).exec('CREATE TABLE made (it INT)')
  } catch (error) {
    console.log(error.errcode, outageOf(error))
  }
`

test('the explanation for a database that cannot be opened for lack of descriptors says so, and how to fix it', async () => {
  const path = join(await temporaryFolder(), 'a.db')
  const node = [process.execPath, '--input-type=module', '-e', PROGRAM, path]
  const said = execFileSync('/bin/sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...node], { encoding: 'utf8' })
  assert.equal(
    said,
    '14 the process has no file descriptors left: raise its limit (ulimit -n, LimitNOFILE= of systemd)\n',
  )
})

test('the explanation for a database that cannot be opened for another reason is missing access', async () => {
  const path = join(await temporaryFolder(), 'nowhere', 'a.db')
  assert.throws(
    () => new DatabaseSync(path),
    error =>
      outageOf(error) ===
      'this user may not open it: make the user of the service the owner of the data folder and everything in it',
  )
})
