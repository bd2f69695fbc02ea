import type { Draft } from '../../../brand/draft.ts'
import { type BrandFile, isPicture } from '../../../brand/file.ts'
import { contrastOf } from '../../../brand/styles/contrast.ts'
import { MIN_CONTRAST, NEUTRAL } from '../../../brand/styles/theme-contrast.ts'
import { pictureFormatProblem } from '../../../intake/media/picture-format.ts'
import { visible } from '../../output/text.ts'
import { typedPath } from './annotations.ts'

/**
 * The advice for a project that has colours and a logo but no theme: what to write, and in which file. The accent is the
 * first colour that is legible on white. Undefined for other projects. `folder` is the brand folder as the user typed it.
 */
export function themeAdvice({ theme, colors, files, source }: Draft, folder: string): string | undefined {
  const logo = files.find(isLogo)
  if (theme !== undefined || colors.length === 0 || !logo) return undefined
  const accent = colors.find(({ hex }) => contrastOf(hex, NEUTRAL.ground).ratio >= MIN_CONTRAST)
  const keys = [`logo: ${scalar(logo.path)}`, ...(accent ? [`accent: ${scalar(accent.id)}`] : [])]
  const path = typedPath(source.folder === '' ? 'project.yaml' : `${source.folder}/project.yaml`, folder)
  return visible(`advice: for a website in the brand's look, write this into ${path}: theme: { ${keys.join(', ')} }`)
}

/** Whether a file is below `files/`, has "logo" in its path there, and can be the logo of a theme. */
function isLogo(file: BrandFile): boolean {
  return /^files\/.*logo/i.test(file.path) && isPicture(file) && !pictureFormatProblem('', file.contentType, null)
}

/** A string in a YAML flow mapping, in quotes if necessary. */
function scalar(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
