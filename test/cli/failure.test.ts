import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FAILURE_CODES } from '../../src/cli/failure.ts'
import { COMMAND_PROBLEMS } from '../../src/publishing/project-ref.ts'
import { STORE_PROBLEMS } from '../../src/store/store-error.ts'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/** The patterns by which the code names the cause of a failure. */
const SAID = [
  /new CommandFailure\(\s*'([^']+)'/g,
  /class \w+ extends \w*Error \{\s+readonly code = '([^']+)'/g,
  /\bcode: '([a-z_]+)'/g,
]

test('every code consists of lower-case words joined by underscores', () => {
  for (const code of Object.keys(FAILURE_CODES)) assert.match(code, /^[a-z]+(?:_[a-z]+)*$/)
})

test('the table has every code that commands fail with', () => {
  const rooms = ['cli', 'intake', 'access/keys', 'access/trust', 'settings.ts']
  const texts = rooms.flatMap(sourcesIn).map(path => readFileSync(path, 'utf8'))
  const said = SAID.flatMap(pattern => texts.flatMap(text => [...text.matchAll(pattern)].map(([, code = '']) => code)))
  assert.ok(said.length > 20, String(said))
  assert.deepEqual(
    [...said, ...COMMAND_PROBLEMS, ...STORE_PROBLEMS].filter(code => !Object.hasOwn(FAILURE_CODES, code)),
    [],
  )
})

function sourcesIn(room: string): string[] {
  if (room.endsWith('.ts')) return [join(src, room)]
  const names = readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
  return names.filter(name => name.endsWith('.ts')).map(name => join(src, room, name))
}
