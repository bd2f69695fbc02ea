import { dirname, join } from 'node:path'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { writeFolder } from '../../test/support/brand-folder.ts'
import { command } from '../../test/support/command.ts'
import { multiplyWorkspace } from '../../test/support/many-projects.ts'
import type { PostgresServer } from '../../test/support/postgres.ts'

export const bin = join(dirname(dirname(import.meta.dirname)), 'bin/housestyle.js')
export const PROJECTS = 10

/** A store in Postgres, and the options of commands that name it. */
export type BenchStore = { workspaces: number; place: readonly string[]; database: string; folder: string }

/** A store with so many workspaces of ten projects, half of which everyone may see. */
export async function makeStore(postgres: PostgresServer, folder: string, workspaces: number): Promise<BenchStore> {
  const database = await postgres.newDatabase()
  const own = join(folder, `${workspaces}`)
  const place = ['--database', database, '--data', join(own, 'data')]
  const names = Array.from({ length: PROJECTS }, (_, at) => `p${at}`)
  const visibility = (at: number) => (at % 2 === 0 ? 'public' : 'private')
  const files = names.flatMap((name, at) => [
    [`${name}/project.yaml`, `name: Guide ${at}\nvisibility: ${visibility(at)}\n`],
    [`${name}/pages/index.md`, `# Guide ${at}\n`],
    [`${name}/files/notes.txt`, 'Notes.\n'],
  ])
  await writeFolder(join(own, 'acme'), Object.fromEntries(files))
  await command(bin, 'import', join(own, 'acme'), ...place)
  await command(bin, 'publish', '--all', ...place)
  const { database: opened } = await openPostgres(database)
  await multiplyWorkspace(opened, 'acme', workspaces - 1)
  await opened.close()
  const [name] = new URL(database).pathname.slice(1).split('?')
  await postgres.query('ANALYZE; CREATE EXTENSION pg_stat_statements', name)
  return { workspaces, place, database: name ?? '', folder: join(own, 'acme') }
}
