import { Readable } from 'node:stream'
import type { BrandFile } from '../brand/file.ts'
import type { Files, Part } from '../store/files.ts'

/** Opens a file of a workspace, or a part of it; throws where the store has lost it. */
export async function openFile(files: Files, workspace: string, file: BrandFile, part?: Part): Promise<Readable> {
  const stream = await files.open(workspace, file.hash, part)
  if (!stream) throw new Error(`the store has lost file ${file.hash} of workspace ${workspace}`)
  return stream
}

/**
 * A stream of chunks that are made as they are read, one ahead at most. The first is made at once, so that what fails by
 * then is thrown here; destroying the stream ends the generator, which closes what it has open.
 */
export async function openChunks(chunks: AsyncGenerator<Uint8Array>): Promise<Readable> {
  let first: IteratorResult<Uint8Array> | undefined = await chunks.next()
  const next = async () => {
    const result = first ?? (await chunks.next())
    first = undefined
    return result
  }
  return Readable.from({ [Symbol.asyncIterator]: () => ({ next, return: () => chunks.return(undefined) }) })
}
