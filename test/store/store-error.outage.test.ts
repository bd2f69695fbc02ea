import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { outageOf } from '#store/store-error.ts'
import { temporaryFolder } from '../support/temporary.ts'

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
