import { inSteps, yieldIfDue } from '../base/steps.ts'
import { type BrandFile, isPicture } from './file.ts'

/**
 * Whether the website offers a file in its library. A picture below `pages/` is only an illustration if a page shows it
 * or links to it. The file's own `library` setting overrides this. `shown` has the `pathWithoutFormat` of all such
 * targets.
 */
export function isInLibrary(file: BrandFile, shown: ReadonlySet<string>): boolean {
  return file.library ?? !(mayIllustrate(file) && shown.has(pathWithoutFormat(file.path)))
}

/** Whether the links of pages decide if a file is in the library. */
export function mayIllustrate(file: BrandFile): boolean {
  return file.library === undefined && file.path.startsWith('pages/') && isPicture(file)
}

/** One item in all its formats: originals before variants, each by path. */
export type FormatGroup = readonly [BrandFile, ...BrandFile[]]

/**
 * Groups the formats of one item: files joined by `variantOf`, and files in one folder whose names differ only in
 * extension or density, such as `logo.svg`, `logo.pdf` and `logo@2x.png`. JSON belongs to a picture only by `variantOf`,
 * because most such files are data about it. Groups are in the order of their first files.
 */
export async function formatGroups(files: ReadonlyMap<string, BrandFile>): Promise<FormatGroup[]> {
  const groups = new Map<string, [BrandFile, ...BrandFile[]]>()
  for (const file of files.values()) {
    const original = originalOf(file, files)
    const name = /\.json$/i.test(original.path) ? original.path : pathWithoutFormat(original.path)
    const group = groups.get(name)
    if (group) group.push(file)
    else groups.set(name, [file])
    const turn = yieldIfDue()
    if (turn) await turn
  }
  return inSteps(groups.values(), group => group.sort((a, b) => isVariant(a) - isVariant(b)))
}

/** The path without extension and density: `files/logo` for `files/logo@2x.png`. */
export function pathWithoutFormat(path: string): string {
  return path.replace(/\.(?=[^./]*[a-z])[a-z0-9]{1,8}$/i, '').replace(/@[1-9](?:\.[0-9])?x$/i, '')
}

/**
 * The original at the end of a chain of variants; the file itself if it is not a variant, or if the chain is a cycle.
 */
function originalOf(file: BrandFile, files: ReadonlyMap<string, BrandFile>): BrandFile {
  let original = file
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = original.variantOf === undefined ? undefined : files.get(original.variantOf)
    if (!next) return original
    original = next
  }
  return file
}

const MAX_STEPS = 8

function isVariant({ variantOf }: BrandFile): number {
  return variantOf === undefined ? 0 : 1
}
