import type { BrandFile } from '#brand/file.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import { previewOf } from './file-kind.ts'

/** The picture with the name of a video, such as `ident.jpg` for `ident.webm`. */
export function posterOf(files: ReadonlyMap<string, BrandFile>, film: BrandFile): BrandFile | undefined {
  const poster = sameName(files, film, POSTERS)
  return poster && previewOf(poster)?.kind === 'picture' ? poster : undefined
}

/** The file in the same folder that differs only in its extension. */
export function sameName(
  files: ReadonlyMap<string, BrandFile>,
  { path }: BrandFile,
  extensions: readonly string[],
): BrandFile | undefined {
  const name = pathWithoutFormat(path)
  for (const extension of extensions) {
    const file = files.get(`${name}.${extension}`) ?? files.get(`${name}.${extension.toUpperCase()}`)
    if (file && file.path !== path) return file
  }
  return undefined
}

/** The formats of posters, in order of preference. */
const POSTERS = ['jpg', 'jpeg', 'webp', 'avif', 'png', 'svg']
