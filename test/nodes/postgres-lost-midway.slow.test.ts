import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { housestyle } from '../program/cli/housestyle.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'

const { skip } = needs('postgres')
const postgres = skip ? undefined : await startPostgres()
after(() => postgres?.stop())

/** The moments at which a command loses its connection: while it writes a row of a table, or commits. */
const MOMENTS: readonly (readonly [command: 'import' | 'publish', table: string, isCommit: boolean])[] = [
  ['import', 'object', false],
  ['import', 'project', false],
  ['import', 'project', true],
  ['publish', 'revision', false],
  ['publish', 'change', true],
]

for (const [name, table, isCommit] of MOMENTS)
  test(`${name === 'import' ? 'an import' : 'a publication'} that loses Postgres as it ${isCommit ? 'commits' : 'writes'} a row of ${table} ends with one line, leaves no partial data, and can be repeated`, {
    skip,
  }, async () => {
    assert.ok(postgres)
    const url = await postgres.newDatabase()
    const [data, folder] = [join(await temporaryFolder(), 'data'), join(await temporaryFolder(), 'acme')]
    const operands = { import: [folder], publish: ['acme/guide'] }
    const ran = (command: string, ...more: string[]) =>
      housestyle([command, ...more, '--database', url, '--data', data])
    const run = (command: 'import' | 'publish') => ran(command, ...operands[command])
    const write = (text: string) =>
      writeFolder(folder, { 'guide/project.yaml': 'name: Guide\n', 'guide/pages/a.md': `# ${text}\n` })
    await write('First')
    for (const command of ['import', 'publish'] as const) assert.equal((await run(command)).status, 0)
    await write('Second')
    if (name === 'publish') assert.equal((await run('import')).status, 0)
    const states = async () => (await ran('status', '--json')).stdout
    const before = await states()
    const kind = isCommit ? 'CONSTRAINT TRIGGER' : 'TRIGGER'
    await postgres.query(
      `CREATE OR REPLACE FUNCTION lose() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql
         AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
       CREATE ${kind} lose AFTER INSERT OR UPDATE ON ${table} ${isCommit ? 'DEFERRABLE INITIALLY DEFERRED' : ''}
         FOR EACH ROW EXECUTE FUNCTION lose()`,
      new URL(url).pathname.slice(1),
    )
    const lost = await run(name)
    await postgres.query(`DROP TRIGGER lose ON ${table}`, new URL(url).pathname.slice(1))
    assert.match(
      lost.stderr,
      isCommit
        ? /was lost during a commit, so the change may or may not have been made; check `housestyle status/
        : /it was shut down, or ended the connection/,
    )
    assert.match(lost.stderr, /^housestyle: [^\n]+\n$/)
    assert.equal(lost.status, 1)
    assert.equal(await states(), before)
    const problems = JSON.parse((await ran('doctor', '--json')).stdout)
    const unexpected = problems.filter(({ check }: { check: string }) => check !== 'rights')
    assert.deepEqual(unexpected, [])
    assert.equal((await run(name)).status, 0)
    assert.notEqual(await states(), before)
  })
