import { type BrandFile, type ImageMetadata, isHeavyPicture, isPicture } from '../../brand/file.ts'
import { problem } from '../folder/findings.ts'
import { pictureFormatProblem } from '../media/picture-format.ts'
import { inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'

/** Reports pictures that pages show and that are too heavy for a page. Files that are only downloads may be heavier. */
export function checkPictures(
  { project, findings }: ProjectReading,
  files: readonly BrandFile[],
  pathsOnPages: ReadonlySet<string | undefined>,
): void {
  for (const file of files) {
    if (!pathsOnPages.has(file.path) || !isHeavyPicture(file) || !isPicture(file)) continue
    if (pictureFormatProblem('', file.contentType, null)) continue // It is reported with the fix for its format.
    const message = `is shown on a page, but has ${sizeOf(file)}; pages show at most 5 MB and 40 megapixels: save a smaller picture for the page, and link to this one for downloads`
    findings.add(project.id, inFolder(project.folder, file.path), problem('picture-pixels', message))
  }
}

function sizeOf({ size, metadata: { width, height } = {} }: { size: number; metadata?: ImageMetadata }): string {
  const megabytes = `${inTenths(size)} MB`
  return width && height ? `${megabytes} and ${inTenths(width * height)} megapixels (${width} × ${height})` : megabytes
}

/** In millions, rounded up, so that a value above a limit does not look equal to it. */
function inTenths(value: number): number {
  return Math.ceil(value / 100_000) / 10
}
