import { basename, join } from 'node:path'
import type { BrandFile } from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import type { WorkspaceFont, WorkspaceTheme } from '#brand/workspace-theme.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote, wordSet } from '#platform/base/text.ts'
import { identityOf, versionOf } from './folder/file-version.ts'
import { fileChunks, type OpenFile, openFile } from './folder/open-file.ts'
import { unreadableProblem } from './folder/unreadable.ts'
import type { MediaReading } from './media/media.ts'
import { resolvePath } from './pages/link-target.ts'
import type { WrittenWorkspaceTheme } from './project/workspace.ts'
import type { ProjectOptions } from './reading.ts'
import { missingReference, type Reference } from './yaml/references.ts'

/** The theme with its logo and fonts, which are stored; a problem if one cannot be used. */
export async function resolveWorkspaceTheme(
  root: string,
  { logo: writtenLogo, fonts: writtenFonts = [], accent, ground, corners }: WrittenWorkspaceTheme,
  options: StoringOptions,
): Promise<Result<WorkspaceTheme, Problem>> {
  const logo = writtenLogo
    ? await readThemeFile(root, { key: 'logo', written: writtenLogo, detailsOf: logoDetails }, options)
    : ok(undefined)
  if (!logo.ok) return logo
  const fonts: WorkspaceFont[] = []
  const extra = writtenFonts[MAX_FONTS]
  if (extra) return failed({ rule: 'value-invalid', line: extra.line, message: TOO_MANY_FONTS })
  for (const written of writtenFonts) {
    const font = await readThemeFile(root, { key: 'fonts', written, detailsOf: fontDetails }, options)
    if (!font.ok) return font
    fonts.push(font.value)
  }
  return ok(withoutUndefined({ logo: logo.value, accent, ground, corners, fonts: unlessEmpty(fonts) }))
}

type StoringOptions = Pick<ProjectOptions, 'writer' | 'media'>

/** The values that a file has for its use in a theme, or why it cannot be used. */
type ThemeFile<Details> = {
  key: string
  written: Reference
  detailsOf: (reading: MediaReading) => Result<Details, string>
}

async function readThemeFile<Details extends object>(
  root: string,
  { key, written, detailsOf }: ThemeFile<Details>,
  { writer, media }: StoringOptions,
): Promise<Result<Pick<BrandFile, 'path' | 'size' | 'contentType' | 'hash'> & Details, Problem>> {
  const { text, line } = written
  /** `why` is the end of a sentence, with the fix. */
  const unusable = (why: string) =>
    failed({ rule: 'value-invalid' as const, line, message: `"${key}" is ${quote(text)}, which ${why}` })
  const path = resolvePath('', text) ?? ''
  const place = join(root, path)
  try {
    const { stat, size } = sizeAndTimes(place)
    if (size > MAX_BYTES) return unusable('has more than 1 MB; write the path of a smaller file')
    const reading = await media.read(place, basename(path), versionOf(stat))
    const details = detailsOf(reading)
    if (!details.ok) return unusable(details.problem)
    const hash = await writer.file(fileChunks(place, identityOf(stat)))
    return ok({ path, size, contentType: reading.contentType, hash, ...details.value })
  } catch (error) {
    const problem = unreadableProblem(error, path)
    if (problem.rule === 'unreadable') return failed({ ...problem, line })
    return failed(missingReference(`"${key}"`, written, 'is not a file below the folder of workspace.yaml', undefined))
  }
}

function logoDetails({ contentType, metadata = {} }: MediaReading): Result<{ width: number; height: number }, string> {
  if (!BROWSER_PICTURES.has(contentType)) return failed('is not an SVG, PNG, JPEG, WebP, AVIF or GIF; export it as one')
  const { width, height } = 'width' in metadata ? metadata : {}
  if (!width || !height) return failed('has no width and height; export it again')
  return ok({ width: Math.ceil(width), height: Math.ceil(height) })
}

function fontDetails({
  contentType,
  metadata = {},
  variation,
  webObstacle,
}: MediaReading): Result<Pick<WorkspaceFont, 'weights' | 'style'>, string> {
  if (!BROWSER_FONTS.has(contentType)) return failed('is not a WOFF2, WOFF, TTF or OTF font; export it as one')
  if (webObstacle !== undefined) return failed(`must not be used on the web: ${webObstacle}`)
  const { weight = 400, style = 'normal' } = 'weight' in metadata || 'style' in metadata ? metadata : {}
  return ok({ weights: variation?.weights ?? [weight, weight], style })
}

function sizeAndTimes(place: string): Pick<OpenFile, 'stat' | 'size'> {
  using file = openFile(place)
  return { stat: file.stat, size: file.size }
}

const MAX_BYTES = 1_000_000
const MAX_FONTS = 4
const TOO_MANY_FONTS = `"fonts" has more than ${MAX_FONTS} files; keep the cuts of one family that pages need`
const BROWSER_FONTS = wordSet('font/woff font/woff2 font/ttf font/otf font/sfnt')
const BROWSER_PICTURES = wordSet('image/avif image/gif image/jpeg image/png image/svg+xml image/webp')
