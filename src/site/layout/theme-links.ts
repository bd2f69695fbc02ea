import { guideName } from '../../serving/guide-name.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import type { GuideTheme, Picture } from '../theme/guide-theme.ts'

/** What it takes of a guide to show what it wears. */
export type ThemeSource = Pick<Guide, 'publication' | 'workspace' | 'paths'>

/** What the head of a document has of a theme: its style sheet, which comes after all others, and the colour of the page. */
export function themeLinks(guide: ThemeSource, { hasTheme, scheme, grounds, light, dark }: GuideTheme): Html {
  const sheet =
    (hasTheme || grounds.size > 0) && html`<link rel="stylesheet" href="${pathBelow(guide, 'theme.css')}">\n`
  const color = (hex: string, media?: Html) => html`<meta name="theme-color" content="${hex}"${media}>\n`
  const colors =
    scheme === 'both'
      ? [color(light.ground, inScheme('light')), color(dark.ground, inScheme('dark'))]
      : [color(light.ground)]
  return html`${sheet}${hasTheme && colors}`
}

/** The scheme of a theme that has one alone. */
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

/** Pictures that are hardly wider than high need more height to be as large. */
function picture(
  { publication, paths }: ThemeSource,
  name: string,
  { file, width, height }: Picture,
  kind: string,
): Html {
  const tall = width < WIDE * height ? ' tall' : ''
  return html`<img class="logo${tall}${kind}" src="${paths.file(publication.record, file)}" alt="${name}" width="${width}" height="${height}">`
}

const WIDE = 2.5
