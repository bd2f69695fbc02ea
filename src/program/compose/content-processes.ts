import { openFontReader } from '#brand/fonts/font-reader.ts'
import { openIndexer, openIndexes } from '#delivery/search/indexer.ts'
import type { Caches } from '#platform/caches/caches.ts'
import type { PoolLimits } from '#platform/processes/worker.ts'
import type { Addresses } from '#serving/addresses.ts'
import { openFile } from '#serving/downloads/file-reply.ts'
import { createListOldFiles } from '#serving/publications/old-files.ts'
import { openKeptPictures } from '#site/thumbnails/kept-pictures.ts'
import { openThumbnailer } from '#site/thumbnails/thumbnailer.ts'
import type { Database } from '#store/database/database.ts'
import type { Files } from '#store/files/files.ts'
import { openAgentLinter } from './lint.ts'

type ContentSource = { database: Database; caches: Caches; files: Files; addresses: Addresses }

/**
 * The child processes that read published content for websites and agents: its text, fonts and pictures, and what is
 * compared with them. `measuring` limits those for fonts and pictures.
 */
export function openContentProcesses(
  { database, caches, files, addresses }: ContentSource,
  limits: PoolLimits,
  measuring = limits,
) {
  const oldFiles = createListOldFiles(database)
  const indexer = openIndexer(caches, limits)
  const linter = openAgentLinter({ listOldFiles: oldFiles, addresses, files }, limits.failed)
  const fontReader = openFontReader((workspace, file) => openFile(files, workspace, file), caches, measuring)
  const thumbnailer = openThumbnailer(measuring)
  const pictures = { files, caches, make: thumbnailer.make }
  return {
    oldFiles,
    indexes: openIndexes(caches, indexer.index),
    lint: linter.lint,
    fontFacts: fontReader.facts,
    fontSubset: fontReader.subset,
    pictures,
    lightPngs: openKeptPictures('light-pngs', pictures),
    pools: { fontReader, indexer, linter, thumbnailer },
  }
}
