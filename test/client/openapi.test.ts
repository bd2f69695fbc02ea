import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/temporary.ts'
import { clientTool, needsClientTools } from './tools.ts'

const client = fileURLToPath(new URL('../../client/', import.meta.url))

test('the types of the client are up to date with openapi.json', needsClientTools(), async () => {
  const { scripts } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8'))
  const made = join(await temporaryFolder(), 'openapi.ts')
  const [, ...args] = scripts.types.replace('src/openapi.ts', made).split(' ')
  await promisify(execFile)(clientTool('openapi-typescript'), args, { cwd: client })
  const advice = 'client/src/openapi.ts is out of date: run `npm run types --prefix client`'
  assert.equal(await readFile(join(client, 'src/openapi.ts'), 'utf8'), await readFile(made, 'utf8'), advice)
})
