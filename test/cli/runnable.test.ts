import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { runnable } from '../../src/cli/runnable.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const options = { data: './my store' }
for (const [message, expected] of [
  ['see housestyle status', "see npx housestyle status --data './my store'"],
  [
    'housestyle publish acme/guidelines, or name a --revision',
    "npx housestyle publish acme/guidelines --data './my store', or name a --revision",
  ],
  [
    'housestyle import acme takes it into the store',
    "npx housestyle import --data './my store' acme takes it into the store",
  ],
  ["housestyle import 'a b' takes it", "npx housestyle import 'a b' --data './my store' takes it"],
  ['housestyle share revoke 1f0c6a4be28d7395', "npx housestyle share revoke 1f0c6a4be28d7395 --data './my store'"],
  ['housestyle publish --all', "npx housestyle publish --all --data './my store'"],
  ['housestyle client create <workspace>', "npx housestyle client create <workspace> --data './my store'"],
  ['housestyle doctor names each', "npx housestyle doctor --data './my store' names each"],
  ['run housestyle check ./acme again', 'run npx housestyle check ./acme again'],
  ['housestyle restore <backup> --data /srv', 'npx housestyle restore <backup> --data /srv'],
  ['a newer housestyle wrote /srv/housestyle publish', 'a newer housestyle wrote /srv/housestyle publish'],
] as const)
  test(`a command in a message can be pasted: ${message}`, () => {
    assert.equal(runnable(message, { options, program: 'npx housestyle' }), expected)
  })

test('the address of an engine is repeated unless it may hold a password', () => {
  const given = (options: Record<string, string>) => runnable('housestyle status', { options, program: 'housestyle' })
  assert.equal(given({ database: 'postgres://db/acme' }), 'housestyle status --database postgres://db/acme')
  assert.equal(
    given({ database: 'postgres://me:secret@db/acme', files: 's3://acme' }),
    'housestyle status --database … --files s3://acme',
  )
})

test('the next step that a command in a checkout prints runs as it is printed, with the same store', async () => {
  const { PATH, HOME } = process.env
  const env = { PATH: `${join(root, 'node_modules/.bin')}:${PATH}`, HOME }
  const data = join(await temporaryFolder(), 'in a folder')
  const importing = spawnSync(process.execPath, ['bin/housestyle.js', 'import', 'examples/acme', '--data', data], {
    cwd: root,
    env,
  })
  const [, command = ''] = /^next: (.*)$/m.exec(`${importing.stderr}`) ?? []
  assert.match(command, /^npx housestyle publish acme\/guidelines acme\/packaging --data '.*in a folder'$/)
  const publishing = spawnSync('sh', ['-c', command.replace('npx housestyle', 'node bin/housestyle.js')], {
    cwd: root,
    env,
  })
  assert.match(`${publishing.stdout}`, /acme\/guidelines: published revision 1/)
  assert.match(`${publishing.stderr}`, /housestyle serve --data '.*in a folder'/)
  const failing = spawnSync(process.execPath, ['bin/housestyle.js', 'history', 'acme/none', '--data', data], {
    cwd: root,
    env,
  })
  assert.match(`${failing.stderr}`, /: see npx housestyle status --data '.*in a folder'; /)
})
