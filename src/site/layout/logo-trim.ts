import type { Ink } from '#brand/pictures/ink.ts'
import type { Guide } from '../guide/guide.ts'
import { pixelsOf } from '../guide/picture-look.ts'
import { type GuideTheme, type Picture, shownPicture } from '../theme/guide-theme.ts'

type Publication = Pick<Guide, 'publication'>
type LogoFile = Pick<Picture, 'file' | 'width' | 'height'>

/** The classes of a logo whose drawing is known, with a space before them; otherwise empty. */
export async function trimClass(guide: Publication, file: Picture['file']): Promise<string> {
  return (await pixelsOf(guide, file))?.ink ? ` trimmed ${classOf(file)}` : ''
}

function classOf({ hash }: Picture['file']): string {
  return `logo-${hash.slice(0, 8)}`
}

/** The rules for the logos of a theme: how much of each is empty, and the height at which its drawing is large enough. */
export async function trimRules(guide: Publication, { logo, logoDark, versions }: GuideTheme): Promise<string[]> {
  const pictures = [logo, logoDark, ...versions.map(shownPicture)].filter(picture => picture !== undefined)
  const rules = await Promise.all(
    pictures.map(async picture => {
      const pixels = await pixelsOf(guide, picture.file)
      return pixels?.ink ? [trimRule(picture, pixels.ink, pixels.edge !== undefined)] : []
    }),
  )
  const trimmed = new Set(rules.flat())
  return trimmed.size > 0 ? [...trimmed, TRIM_RULES] : []
}

function trimRule(picture: LogoFile, ink: Ink, isTile: boolean): string {
  const aspect = picture.width / picture.height
  const around = isTile ? TILE_MARGIN * (1 - ink.margins.top - ink.margins.bottom) : 0
  const cut = {
    top: Math.max(0, ink.margins.top - around),
    right: Math.max(0, ink.margins.right - around / aspect),
    bottom: Math.max(0, ink.margins.bottom - around),
    left: Math.max(0, ink.margins.left - around / aspect),
  }
  const shown = { width: aspect * (1 - cut.left - cut.right), height: 1 - cut.top - cut.bottom, letters: ink.letters }
  const [wide, narrow] = [16, 14].map(letters => logoHeight(shown, letters))
  const shares = Object.entries(cut).map(([side, share]) => `--${side}:${+share.toFixed(3)}`)
  const properties = [`--aspect:${+aspect.toFixed(3)}`, ...shares, `--wide:${wide}px`, `--narrow:${narrow}px`]
  const name = `.${classOf(picture.file)}`
  const room = Math.ceil((wide ?? 0) * shown.width)
  return `${name}{${properties.join(';')}${isTile ? ';--round:.25rem' : ''}}\n@media(width>=60rem){.name:has(${name}){min-width:${room}px}}\n`
}

/** The part of a tile with its own ground that stays around the drawing, as a share of the height of the drawing. */
const TILE_MARGIN = 0.35

/**
 * The height of a whole picture in pixels at which what is shown of it (in heights of the picture) has a usual size, with
 * letters at least as high as wanted.
 */
function logoHeight(
  { width, height, letters }: { width: number; height: number; letters?: number | undefined },
  wanted: number,
): number {
  const usual = width < WIDE * height ? TALL_HEIGHT : USUAL_HEIGHT
  const fitting = Math.min(usual / height, USUAL_WIDTH / width)
  const least = letters === undefined ? USUAL_HEIGHT / height : wanted / letters
  return Math.ceil(Math.min(MAX_HEIGHT / height, Math.max(fitting, least)))
}

/** The width of a logo for its height from which it is not tall. */
export const WIDE = 2.5
/** In pixels. The header is 60 pixels high. */
const USUAL_HEIGHT = 28
const TALL_HEIGHT = 40
const USUAL_WIDTH = 208
const MAX_HEIGHT = 56

/**
 * Shows the drawing of a logo alone: negative margins take the empty parts out of the layout, and a path clips them. A logo
 * in a narrow header is as wide as its link.
 */
const TRIM_RULES = `.logo.trimmed{--high:min(var(--wide),(100cqi - 2*var(--pad,0px))/(var(--aspect)*(1 - var(--left) - var(--right))));width:calc(var(--high)*var(--aspect));max-width:none;height:var(--high);padding:var(--pad,0);margin:calc(var(--high)*-1*var(--top)) calc(var(--high)*-1*var(--aspect)*var(--right)) calc(var(--high)*-1*var(--bottom)) calc(var(--high)*-1*var(--aspect)*var(--left));clip-path:inset(calc(var(--high)*var(--top)) calc(var(--high)*var(--aspect)*var(--right)) calc(var(--high)*var(--bottom)) calc(var(--high)*var(--aspect)*var(--left)) round var(--round,0))}
@media(width<60rem){.logo.trimmed{--wide:var(--narrow)}}
`
