import { guideName } from '../../serving/publications/publications.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import type { GuideTheme, Picture } from '../theme/guide-theme.ts'
import { shownAddress } from '../thumbnails/thumbnail.ts'

/** The parts of a guide that theming needs. */
export type ThemeSource = Pick<Guide, 'publication' | 'workspace' | 'paths'>

/** The theme in a document's head: its style sheet, after all others, and the page colour. */
export function themeLinks(guide: ThemeSource, { hasTheme, hasSheet, scheme, light, dark }: GuideTheme): Html {
  const sheet = hasSheet && html`<link rel="stylesheet" href="${pathBelow(guide, 'theme.css')}">\n`
  const color = (hex: string, media?: Html) => html`<meta name="theme-color" content="${hex}"${media}>\n`
  const colors =
    scheme === 'both'
      ? [color(light.ground, inScheme('light')), color(dark.ground, inScheme('dark'))]
      : [color(light.ground)]
  return html`${sheet}${hasTheme && colors}`
}

/** The scheme of a theme that has only one. */
export function fixedScheme({ scheme }: GuideTheme): 'light' | 'dark' | undefined {
  return scheme === 'both' ? undefined : scheme
}

function inScheme(scheme: 'light' | 'dark'): Html {
  return html` media="(prefers-color-scheme: ${scheme})"`
}

/** The link to the icon of a theme; undefined if it has none. */
export function iconLink({ publication, paths }: ThemeSource, { icon }: GuideTheme): Html | undefined {
  return icon && html`<link rel="icon" href="${paths.file(publication.record, icon)}" type="${icon.contentType}">`
}

/** The logo of a theme, named for the guide; undefined if it has none. */
export function themeLogo(guide: ThemeSource, { scheme, logo, logoDark }: GuideTheme): Html | undefined {
  const name = guideName(guide)
  const onLight = scheme === 'dark' ? (logoDark ?? logo) : (logo ?? logoDark)
  if (!onLight) return undefined
  const onDark = scheme === 'both' ? logoDark : undefined
  if (!onDark) return picture(guide, name, onLight, scheme === 'both' ? ' bare' : '')
  return html`${picture(guide, name, onLight, ' only-light')}${picture(guide, name, onDark, ' only-dark')}`
}

/** Nearly square pictures need more height to look as large. */
function picture(
  { publication, paths }: ThemeSource,
  name: string,
  { file, width, height }: Picture,
  kind: string,
): Html {
  const tall = width < WIDE * height ? ' tall' : ''
  return html`<img class="logo${tall}${kind}" src="${shownAddress(publication.record, file, paths)}" alt="${name}" width="${width}" height="${height}">`
}

const WIDE = 2.5
