import { join } from 'node:path'
import { after } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { migrate } from '#store/database/migrate.ts'
import { openPostgres } from '#store/database/postgres.ts'
import { openSqlite } from '#store/database/sqlite.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { needs } from './programs.ts'
import { temporaryFolder } from './temporary.ts'

/** An engine of the catalogue, for tests that run with each. */
export type Engine = {
  name: 'SQLite' | 'Postgres'
  skip: string | false
  /** The place of a new database. */
  place: () => Promise<string>
  open: (place: string) => Promise<Database>
  /** A new database with all tables. */
  migrated: () => Promise<Database>
}

/** Starts a server of Postgres for all tests of a file, which ends with them; without the program, `skip` says so. */
export async function sharedPostgres(): Promise<{ skip: string | false; server: PostgresServer | undefined }> {
  const { skip } = needs('postgres')
  const server = skip ? undefined : await startPostgres()
  after(() => server?.stop())
  return { skip, server }
}

/** Both engines, with one server of Postgres for all tests of a file. */
export async function bothEngines(): Promise<readonly [sqlite: Engine, postgres: Engine]> {
  const { skip, server } = await sharedPostgres()
  const openServer = async (place: string) => (await openPostgres(place)).database
  return [
    engine(
      'SQLite',
      false,
      async () => join(await temporaryFolder(), 'a.db'),
      async place => openSqlite(place),
    ),
    engine('Postgres', skip, async () => (await server?.newDatabase()) ?? '', openServer),
  ]
}

function engine(name: Engine['name'], skip: Engine['skip'], place: Engine['place'], open: Engine['open']): Engine {
  const migrated = async () => {
    const database = await open(await place())
    await migrate(database)
    return database
  }
  return { name, skip, place, open, migrated }
}
