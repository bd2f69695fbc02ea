import type { Client } from 'pg'
import { type Database, ROWS_AT_ONCE, type Row } from '../database.ts'
import { postgresSql } from './sql.ts'

/** Runs work that reads rows as of one moment, with a cursor for each query. */
export async function readConsistently(client: Client, work: (scan: Database['scan']) => Promise<void>): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await work(async (sql, visit) => {
    await client.query(`DECLARE scanned CURSOR FOR ${postgresSql(sql)}`)
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${ROWS_AT_ONCE} FROM scanned`)
      if (rows.length === 0) break
      await visit(rows)
    }
    await client.query('CLOSE scanned')
  })
  await client.query('COMMIT')
}
