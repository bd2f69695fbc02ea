/**
 * Translates a statement of the shared subset for Postgres: `?` becomes `$1`, `$2` …, and column types become the
 * equivalents of the SQLite types. Text sorts by its bytes, as in SQLite, so that lists have the same order on every
 * engine.
 */
export function postgresSql(sql: string): string {
  const known = translated.get(sql)
  if (known !== undefined) return known
  let number = 0
  const numbered = sql.replace(/--.*$/gm, '').replace(/\?/g, () => `$${++number}`)
  const made = /^\s*(?:CREATE|ALTER) TABLE/i.test(numbered) ? withTypes(numbered) : numbered
  translated.set(sql, made)
  return made
}

const translated = new Map<string, string>()

function withTypes(sql: string): string {
  return sql
    .replace(/\bINTEGER\b/g, 'BIGINT')
    .replace(/\bBLOB\b/g, 'BYTEA')
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
}
