import type { BrandFile } from '#brand/file.ts'
import { openFile } from '#serving/downloads/file-reply.ts'

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
