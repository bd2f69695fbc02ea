import type { Database, Queries } from '#store/database/database.ts'

/**
 * Adds very many workspaces to a store, `w1`, `w2` …, each a copy of an existing one: its projects, their current
 * revisions with all their objects, and a change for each project, in the tables that imports and publications fill.
 */
export async function multiplyWorkspace(database: Database, workspace: string, copies: number): Promise<void> {
  await database.transaction(async queries => {
    const last = await queries.get('SELECT COALESCE(MAX(number), 0) AS number FROM change')
    for (const [table, columns] of TABLES) await copyRows(queries, { table, columns, workspace, copies })
    await queries.run(
      `INSERT INTO change (number, workspace) ${NUMBERS}
       SELECT ? + ROW_NUMBER() OVER (ORDER BY n.at, p.id), 'w' || n.at FROM n, project p WHERE p.workspace = ?`,
      copies,
      Number(last?.number ?? 0),
      workspace,
    )
  })
}

const TABLES = [
  ['workspace', 'name, draft_name, created_at'],
  ['object', 'hash, bytes'],
  [
    'project',
    `id, instance, created_at, updated_at, draft_snapshot, draft_name, draft_visibility, draft_revisions, draft_facts, draft_authors,
     published_revision, published_at, published_visibility, published_revisions, file_key`,
  ],
  ['revision', 'project, number, snapshot, name, published_at, visibility, facts, reviewed, note'],
] as const

const NUMBERS = 'WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)'

type Copied = { table: (typeof TABLES)[number][0]; columns: string; workspace: string; copies: number }

async function copyRows(queries: Queries, { table, columns, workspace, copies }: Copied): Promise<void> {
  const id = table === 'workspace' ? 'id' : 'workspace'
  await queries.run(
    `INSERT INTO ${table} (${id}, ${columns}) ${NUMBERS} SELECT 'w' || n.at, ${columns} FROM n, ${table} WHERE ${id} = ?`,
    copies,
    workspace,
  )
}
