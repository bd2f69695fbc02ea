import type { BrandFile } from '#brand/file.ts'
import { perObject } from '#platform/base/object.ts'
import { openFile } from '#serving/downloads/file-reply.ts'
import type { Publication } from '#serving/publications/publications.ts'

/** The parts of a guide that its files are read with. */
export type FileSource = {
  site: { service: { files: Parameters<typeof openFile>[0] } }
  publication: { record: { workspace: string } }
}

/** Opens a part of a file: its first and last byte. */
export type OpenPart = (part: { start: number; end: number }) => Promise<AsyncIterable<Uint8Array>>

export function partOpener({ site, publication }: FileSource, file: BrandFile): OpenPart {
  return part => openFile(site.service.files, publication.record.workspace, file, { part })
}

/** The text of a small file in UTF-8. */
export async function fileText({ site, publication }: FileSource, file: BrandFile): Promise<string> {
  const chunks = await openFile(site.service.files, publication.record.workspace, file)
  return Buffer.concat(await Array.fromAsync(chunks)).toString('utf8')
}

/** Reads a fact about each file once, and keeps it as long as the file, which its content has. One that failed is read again. */
export function keptFacts<Fact>(read: (source: FileSource, file: BrandFile) => Promise<Fact>) {
  const kept = perObject((file: BrandFile, guide: FileSource & { publication: Publication }) => {
    guide.publication.content.grow(FACT_BYTES)
    return read(guide, file)
  })
  return (guide: FileSource & { publication: Publication }, file: BrandFile): Promise<Fact> => kept(file, guide)
}

/** Memory per file. */
const FACT_BYTES = 300
