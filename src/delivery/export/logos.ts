import { type BrandFile, folderOf, isPicture, PHOTOGRAPHS } from '#brand/file.ts'
import { usableFiles } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'

/**
 * The logos of a guide: those of its theme, then the pictures next to its logo except photographs; without one, those with
 * logo in their path. Files whose rights have ended are left out.
 */
export async function logosOf(content: Publication['content']): Promise<{ logos: BrandFile[]; others: BrandFile[] }> {
  const [files, { theme }] = await Promise.all([usableFiles(content), content.appearance()])
  const themeFiles = [theme?.logo, theme?.logoDark, theme?.icon].flatMap(path => (path && files.get(path)) || [])
  const folders = new Set([theme?.logo, theme?.logoDark].filter(path => path !== undefined).map(path => folderOf(path)))
  const isNextToLogo = ({ path, contentType }: BrandFile) =>
    folders.has(folderOf(path)) && (LOGO.test(path) || !PHOTOGRAPHS.has(contentType))
  const isLogo = (file: BrandFile) => (folders.size === 0 ? LOGO.test(file.path) : isNextToLogo(file))
  const { pictures = [], others = [] } = Object.groupBy(Array.from(files.values()).filter(isLogo), file =>
    isPicture(file) ? 'pictures' : 'others',
  )
  return { logos: [...new Set([...themeFiles, ...pictures])], others }
}

/** As in `files/brand/Logo-white.svg` and `files/wordmark.png`. */
const LOGO = /^files\/.*(?:logo|wordmark)/i
