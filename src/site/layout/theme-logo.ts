import { guideName } from '#serving/publications/publications.ts'
import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import type { GuideTheme, Picture } from '../theme/guide-theme.ts'
import { shownAddress } from '../thumbnails/thumbnail.ts'
import { standsOut } from './legible-logo.ts'
import { trimClass, WIDE } from './logo-trim.ts'

/**
 * The logo of a theme, named for the guide; undefined if it has none. Pages for which it has no version show the other one,
 * on a plate if that does not stand out.
 */
export async function themeLogo(guide: Guide, theme: GuideTheme): Promise<Html | undefined> {
  const { scheme, light, dark } = theme
  const { logo = theme.logoDark, logoDark = theme.logo } = theme
  if (!logo || !logoDark) return undefined
  const versions = {
    light: { picture: logo, own: theme.logo, ground: light.ground, plate: ' ground-Dark' },
    dark: { picture: logoDark, own: theme.logoDark, ground: dark.ground, plate: ' ground-Light' },
  }
  const schemes = scheme === 'both' ? (['light', 'dark'] as const) : [scheme]
  const pictures = schemes.map(async shown => {
    const { picture, own, ground, plate } = versions[shown]
    const needsPlate = picture !== own && !(await standsOut(guide, picture, ground))
    return guideLogo(guide, picture, ` only-${shown}${needsPlate ? plate : ''}`)
  })
  return html`${await Promise.all(pictures)}`
}

/** A logo named for the guide. `kind` is its classes, each with a space before it. */
export async function guideLogo(guide: Guide, { file, width, height }: Picture, kind = ''): Promise<Html> {
  const src = shownAddress(guide.publication.record, file, guide.site.paths)
  return logoPicture({ src, name: guideName(guide), width, height, kind: kind + (await trimClass(guide, file)) })
}

/** A logo. Nearly square ones need more height to look as large. `kind` is its classes, each with a space before it. */
export function logoPicture({ src, name, width, height, kind }: LogoPicture): Html {
  const tall = width < WIDE * height ? ' tall' : ''
  return html`<img class="logo${tall}${kind}" src="${src}" alt="${name}" width="${width}" height="${height}">`
}

type LogoPicture = { src: string; name: string; width: number; height: number; kind: string }
