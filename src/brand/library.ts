import { inSteps, yieldIfDue } from '../base/steps.ts'
import { type BrandFile, isPicture } from './file.ts'

/**
 * Whether the website offers a file in its library: a picture of the pages only illustrates them if one of them shows it
 * or links to it. What the notes of the file say goes before. `shown` has the `pathWithoutFormat` of what pages lead to.
 */
export function isInLibrary(file: BrandFile, shown: ReadonlySet<string>): boolean {
  return file.library ?? !(mayIllustrate(file) && shown.has(pathWithoutFormat(file.path)))
}

/** Whether pages decide what `isInLibrary` says of a file. */
export function mayIllustrate(file: BrandFile): boolean {
  return file.library === undefined && file.path.startsWith('pages/') && isPicture(file)
}

/** One thing in all its formats: those that are a variant of no other first, then by path. */
export type FormatGroup = readonly [BrandFile, ...BrandFile[]]

/**
 * Groups files by the thing that they are a format of: that which `variantOf` names, and files in one folder whose names
 * differ in extension or density alone, as `logo.svg`, `logo.pdf` and `logo@2x.png`. In the order of their first files.
 */
export async function formatGroups(files: ReadonlyMap<string, BrandFile>): Promise<FormatGroup[]> {
  const groups = new Map<string, [BrandFile, ...BrandFile[]]>()
  for (const file of files.values()) {
    const name = pathWithoutFormat(originalOf(file, files).path)
    const group = groups.get(name)
    if (group) group.push(file)
    else groups.set(name, [file])
    const turn = yieldIfDue()
    if (turn) await turn
  }
  return inSteps(groups.values(), group => group.sort((a, b) => isVariant(a) - isVariant(b)))
}

/** The path without the extension and the density of its name: `files/logo` of `files/logo@2x.png`. */
export function pathWithoutFormat(path: string): string {
  return path.replace(/\.(?=[^./]*[a-z])[a-z0-9]{1,8}$/i, '').replace(/@[1-9](?:\.[0-9])?x$/i, '')
}

/** The file that a file is a variant of, in the end; itself if there is none, or if variants go in a circle. */
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
