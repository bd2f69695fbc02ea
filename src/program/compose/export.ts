import { openFontReader } from '#brand/fonts/font-reader.ts'
import type { ExportedFile, ExportSource } from '#delivery/export/format.ts'
import { type Caches, openCaches } from '#platform/caches/caches.ts'
import type { Addresses } from '#serving/addresses.ts'
import { openFile } from '#serving/downloads/file-reply.ts'
import { zipFiles } from '#serving/downloads/project-archive.ts'
import { verifiedFiles } from '#serving/downloads/verified-files.ts'
import { EARLIEST_DATE } from '#serving/downloads/zip.ts'
import { openPublications } from '#serving/publications/publications.ts'
import { findWorkspace, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { Database } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'

/** A project state to export, and functions that read its files. */
export type OpenedExport = {
  source: Omit<ExportSource, 'options' | 'unsupported'>
  /** Reads the bytes of an exported file. A chunk is valid until the next one is requested. */
  read: (content: ExportedFile['content']) => AsyncIterable<Uint8Array>
  zip: (files: readonly ExportedFile[]) => Promise<AsyncIterable<Uint8Array>>
}

/** Opens a published state while the work runs. The draft of a folder has no addresses. */
export async function withExport<Value>(
  { database, files: stored }: Store,
  record: ProjectRecord,
  urls: Addresses | undefined,
  work: (opened: OpenedExport) => Promise<Value>,
): Promise<Value> {
  const caches = openCaches()
  const files = verifiedFiles(stored, caches)
  const { publication, workspace } = await openPublished(database, caches, record)
  const fonts = openFontReader((id, file) => openFile(files, id, file), caches)
  try {
    return await work({
      source: {
        publication,
        workspace,
        isPublished: urls !== undefined,
        urls,
        fontFacts: file => fonts.facts(record.workspace, file),
      },
      read: content => bytesOf(content, file => openFile(files, record.workspace, file)),
      zip: async exported => {
        const entries = new Map(exported.map(({ path, content }) => [path, content]))
        return zipFiles(files, record.workspace, entries, EARLIEST_DATE).chunks()
      },
    })
  } finally {
    await fonts.close()
  }
}

/** Opens a published project for a command, with the name of its workspace. */
export async function openPublished(database: Database, caches: Caches, record: ProjectRecord) {
  const openPublication = openPublications(database, caches)
  const publication = openPublication(record)
  if (!publication) throw new Error('cannot export a project that is not published')
  const workspace = (await findWorkspace(database, record.workspace))?.name ?? record.workspace
  return { openPublication, publication, workspace }
}

async function* bytesOf(
  content: ExportedFile['content'],
  open: (file: Exclude<ExportedFile['content'], Uint8Array>) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  else yield* await open(content)
}
