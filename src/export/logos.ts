import { type BrandFile, folderOf, isPicture } from '../brand/file.ts'
import { usableFiles } from '../serving/publications/library.ts'
import type { Publication } from '../serving/publications/publications.ts'

/**
 * The logos of a guide: those of its theme, then the pictures next to its logo; without one, those in a `logo` folder.
 * Files whose rights have ended are left out.
 */
export async function logosOf(content: Publication['content']): Promise<{ logos: BrandFile[]; others: BrandFile[] }> {
  const [files, { theme }] = await Promise.all([usableFiles(content), content.appearance()])
  const named = [theme?.logo, theme?.logoDark, theme?.icon].flatMap(path => (path && files.get(path)) || [])
  const folders = new Set([theme?.logo, theme?.logoDark].flatMap(path => (path === undefined ? [] : [folderOf(path)])))
  const isLogo = ({ path }: BrandFile) => (folders.size > 0 ? folders.has(folderOf(path)) : LOGO_FOLDER.test(path))
  const { pictures = [], others = [] } = Object.groupBy(Array.from(files.values()).filter(isLogo), file =>
    isPicture(file) ? 'pictures' : 'others',
  )
  return { logos: [...new Set([...named, ...pictures])], others }
}

const LOGO_FOLDER = /^files\/(?:.*\/)?logos?\/[^/]+$/i
