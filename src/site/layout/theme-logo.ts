import { guideName } from '#serving/publications/publications.ts'
import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import type { GuideTheme, Picture } from '../theme/guide-theme.ts'
import { shownAddress } from '../thumbnails/thumbnail.ts'
import { standsOut } from './legible-logo.ts'
import { trimClass } from './logo-trim.ts'

type ThemeLogos = Pick<GuideTheme, 'scheme' | 'light' | 'dark' | 'logo' | 'logoDark'>

/**
 * The logo of a theme, named for the guide; undefined if it has none. Pages for which it has no version show the other one,
 * on a plate if that does not stand out.
 */
export async function themeLogo(
  guide: Guide,
  { scheme, light, dark, logo, logoDark }: ThemeLogos,
): Promise<Html | undefined> {
  const onLight = logo ?? logoDark
  const onDark = logoDark ?? logo
  if (!onLight || !onDark) return undefined
  const kind = scheme === 'both' ? { light: ' only-light', dark: ' only-dark' } : { light: '', dark: '' }
  const plateOn = async (picture: Picture, own: Picture | undefined, ground: string, plate: string) =>
    picture === own || (await standsOut(guide, picture, ground)) ? '' : plate
  const lightPlate = await plateOn(onLight, logo, light.ground, ' ground-Dark')
  const darkPlate = await plateOn(onDark, logoDark, dark.ground, ' ground-Light')
  const versions = [
    { scheme: 'light', picture: onLight, kind: kind.light + lightPlate },
    { scheme: 'dark', picture: onDark, kind: kind.dark + darkPlate },
  ]
  const shown = versions.filter(version => scheme === 'both' || version.scheme === scheme)
  return html`${await Promise.all(shown.map(({ picture, kind }) => logoHtml(guide, picture, kind)))}`
}

async function logoHtml(guide: Guide, { file, width, height }: Picture, kind: string): Promise<Html> {
  const src = shownAddress(guide.publication.record, file, guide.site.paths)
  const trim = await trimClass(guide, { file, width, height })
  return logoPicture({ src, name: guideName(guide), width, height, kind: kind + trim })
}

/** A logo. Nearly square ones need more height to look as large. `kind` is its classes, each with a space before it. */
export function logoPicture({ src, name, width, height, kind }: LogoPicture): Html {
  const tall = width < WIDE * height ? ' tall' : ''
  return html`<img class="logo${tall}${kind}" src="${src}" alt="${name}" width="${width}" height="${height}">`
}

type LogoPicture = { src: string; name: string; width: number; height: number; kind: string }

/** The width of a logo for its height from which it is not tall. */
const WIDE = 2.5
