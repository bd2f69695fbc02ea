import type { BrandFile } from '../../brand/file.ts'
import type { Guide } from '../guide/guide.ts'

/** The text of a small file in UTF-8. */
export async function fileText({ open }: Pick<Guide, 'open'>, file: BrandFile): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await open(file)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
