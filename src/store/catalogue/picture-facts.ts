import type { BrandFile } from '#brand/file.ts'
import type { Hash } from '#brand/ids.ts'
import { FACTS_VERSION, isMeasurable, type PictureFacts } from '#brand/pictures/picture-facts.ts'
import type { Queries } from '../database/database.ts'
import { defineTable, jsonObject, optional, readTexts, text, whole } from '../database/table.ts'

/** What was measured in pictures, such as their main colours. Pages of a snapshot show the facts of one version. */
export const PICTURE_FACTS = defineTable('picture_facts', {
  workspace: text('workspace'),
  hash: text('hash'),
  version: whole('version', 1),
  /** Absent if the picture could not be measured. */
  facts: optional(jsonObject<PictureFacts>('facts')),
})

/** The hashes of the pictures of a workspace that this version has measured. */
export function listMeasured(queries: Queries, workspace: string): Promise<string[]> {
  const sql = 'SELECT hash FROM picture_facts WHERE workspace = ? AND version = ?'
  return readTexts(queries, sql, workspace, FACTS_VERSION)
}

/** Keeps the facts of a picture, or that it has none. Known ones never change, because pages show them. */
export async function putFacts(
  queries: Queries,
  workspace: string,
  hash: Hash,
  facts: PictureFacts | undefined,
): Promise<void> {
  await PICTURE_FACTS.add(queries, { workspace, hash, version: FACTS_VERSION, facts }, UNLESS_KNOWN)
}

const UNLESS_KNOWN = 'ON CONFLICT DO NOTHING'

/** The facts of one version about these files, keyed by hash. */
export async function findFacts(
  queries: Queries,
  workspace: string,
  version: number,
  files: Iterable<BrandFile>,
): Promise<ReadonlyMap<string, PictureFacts>> {
  const factsByHash = new Map<string, PictureFacts>()
  const pictures = Array.from(files).filter(isMeasurable)
  for (let at = 0; at < pictures.length; at += HASHES_AT_ONCE) {
    const hashes = pictures.slice(at, at + HASHES_AT_ONCE).map(({ hash }) => hash)
    const where = `WHERE workspace = ? AND version = ? AND hash IN (${hashes.map(() => '?').join(', ')})`
    for (const { hash, facts } of await PICTURE_FACTS.all(queries, where, workspace, version, ...hashes))
      if (facts) factsByHash.set(hash, facts)
  }
  return factsByHash
}

const HASHES_AT_ONCE = 500

/** Copies what is known about files to another workspace, inside a transaction. */
export async function copyFacts(queries: Queries, from: string, to: string, hashes: Iterable<Hash>): Promise<void> {
  const sql = `INSERT INTO picture_facts (workspace, hash, version, facts)
    SELECT ?, hash, version, facts FROM picture_facts WHERE workspace = ? AND hash = ? ${UNLESS_KNOWN}`
  for (const hash of hashes) await queries.run(sql, to, from, hash)
}
