import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { COMMANDS } from '#program/cli/commands.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { sumsIn } from '../../support/sums.ts'
import { folderWith, temporaryFolder } from '../../support/temporary.ts'
import { housestyle } from '../cli/housestyle.ts'

/** Valid arguments of the commands for tokens, clients, keys, links, sign-in, hosts and webhooks, by command. */
const ACCESS_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'token issue': ['acme'],
  'token revoke': ['038f31e1-49a4-4429-8467-aec9c52f6f95'],
  'client create': ['acme'],
  'client update': ['acme-0f3a9c21b7de', '--project', 'guide'],
  'client delete': ['acme-0f3a9c21b7de'],
  'keys retire': ['0'.repeat(64)],
  'share revoke': ['1f0c6a4be28d7395'],
  'signin add': 'acme --issuer https://login.example --client-id guides --allow-domain acme.example'.split(' '),
  'signin test': ['acme'],
  'signin remove': ['3f2c9a81d07b4e56'],
  'signin sessions': ['acme'],
  'signin end': ['--all'],
  'connection list': ['acme'],
  'connection end': ['5f0c2b7e91d84a3c6e1f7a2b9c0d4e8f'],
  'host add': ['brand.example.com', 'acme/guide'],
  'host remove': ['brand.example.com'],
  'webhook create': ['acme', 'https://hooks.example.com/brand'],
  'webhook test': ['9b1f0a6c2e47d835'],
  'webhook deliveries': ['9b1f0a6c2e47d835'],
  'webhook replay': ['9b1f0a6c2e47d835', '5c0de1f2a3b4c5d6e7f80910'],
  'webhook rotate': ['9b1f0a6c2e47d835'],
  'webhook delete': ['9b1f0a6c2e47d835'],
}

/** The last line of `doctor`. */
const NODE = `Node ${process.versions.node} ran this: https://nodejs.org/en/blog/vulnerability lists the faults of its line\n`

const { skip, server } = await sharedPostgres()

/** Commands that create a store or need none. */
const OTHERS = ['init', 'check', 'import', 'serve', 'dev', 'restore', 'pull', 'translate mark']

const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  lint: [import.meta.filename, '--brand', 'acme/guide'],
  publish: ['--all'],
  diff: ['acme/guide'],
  history: ['acme/guide'],
  usage: ['acme/guide'],
  export: ['acme/guide', '--to', 'json'],
  rollback: ['acme/guide'],
  retract: ['acme/guide', '1'],
  unpublish: ['acme/guide'],
  copy: ['acme/guide', 'acme/other'],
  delete: ['acme/guide', '--yes'],
  ...ACCESS_ARGUMENTS,
  share: ['acme/guide'],
  'files rotate': ['acme/guide'],
  backup: ['/nowhere/a.tar'],
}

/** Runs every command that needs a store. Returns the output and exit code of each. */
async function runAll(place: readonly string[]) {
  const names = COMMANDS.map(({ name }) => name).filter(name => !OTHERS.includes(name))
  const results = []
  for (const name of names) {
    const ran = await housestyle([...name.split(' '), ...(OPERANDS[name] ?? []), ...place])
    results.push({ name, ...ran })
  }
  return results
}

const FOLDERS = {
  'is missing': async () => join(await temporaryFolder(), 'typo'),
  'is an empty folder': () => folderWith({}),
  'is an unrelated folder': () => folderWith({ 'README.md': 'mine', 'files/photo.jpg': 'mine' }),
  'is a file': async () => join(await folderWith({ notes: '' }), 'notes'),
}

for (const [how, make] of Object.entries(FOLDERS))
  test(`every command that needs a store refuses a data folder that ${how}, and writes nothing`, async () => {
    const data = await make()
    const state = async () => [await sumsIn(join(data, '..')), await stat(data).catch(() => undefined)]
    const before = await state()
    for (const { name, status, stdout, stderr } of await runAll(['--data', data])) {
      const fix = `name its folder with --data, or make one with \`housestyle import <folder> --data ${data}\``
      const wanted = name === 'doctor' ? `unreachable  ${data} contains no store\n    → ${fix}\n` : ''
      const error = name === 'doctor' ? `1 problem\n${NODE}` : `housestyle: there is no store in ${data}: ${fix}\n`
      const lintError = error.replace('there', 'cannot read the brand acme/guide: there')
      const expected = name === 'lint' ? [2, '', lintError] : [1, wanted, error]
      assert.deepEqual([name, status, stdout, stderr], [name, ...expected])
    }
    assert.deepEqual(await state(), before)
  })

test('every command with a store refuses an empty Postgres database, and creates no table', { skip }, async () => {
  const database = (await server?.newDatabase()) ?? ''
  const data = join(await temporaryFolder(), 'data')
  for (const { name, status, stdout, stderr } of await runAll(['--database', database, '--data', data])) {
    assert.equal(status, name === 'lint' ? 2 : 1, name)
    assert.match(
      stdout + stderr,
      /(?:there is no store in|contains no store).*name its database with --database, or make one with /s,
    )
  }
  const tables = await server?.query(
    "SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'public'",
    new URL(database).pathname.slice(1),
  )
  assert.deepEqual(tables?.rows, [])
  await assert.rejects(stat(data), { code: 'ENOENT' })
})
