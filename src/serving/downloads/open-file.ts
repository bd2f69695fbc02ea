import type { BrandFile } from '../../brand/file.ts'
import type { Files, Part } from '../../store/files/files.ts'

/** Opens a file of a workspace, or a part of it; throws where the store has lost it. */
export async function openFile(
  files: Files,
  workspace: string,
  file: BrandFile,
  part?: Part,
): Promise<AsyncGenerator<Uint8Array>> {
  const chunks = await files.open(workspace, file.hash, part)
  if (!chunks) throw new Error(`the store has lost file ${file.hash} of workspace ${workspace}`)
  return chunks
}
