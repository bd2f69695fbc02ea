import { contrastOf, MIN_CONTRAST, NEUTRAL } from '#brand/styles/contrast.ts'
import type { WorkspaceFont, WorkspaceTheme } from '#brand/workspace-theme.ts'
import { cssString } from '#delivery/export/style-sheets/css-text.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { trimRules } from '../layout/logo-trim.ts'
import { guideText } from '../texts/agent-texts.ts'
import { type GuideTheme, themeOf } from '../theme/guide-theme.ts'
import { darkPalette, isDark, lightPalette, type Palette } from '../theme/palette.ts'
import { frameFontRules } from './type/faces/frame-fonts.ts'

/** The style sheet for every page of a guide: the colours, corners and fonts of its theme, and its backgrounds. */
export async function themeSheet(guide: Guide): Promise<Representation> {
  const theme = await themeOf(guide.publication)
  const { rules, keptMs } = await frameFontRules(guide, theme)
  const grounds = Array.from(theme.grounds, ([id, palette]) => groundRule(`.ground-${id}`, palette))
  const edges = Array.from(theme.grounds, ([id, { ground }]) => edgeRule(theme, id, ground))
  const covers = Array.from(theme.covers, ([classes, palette]) =>
    groundRule(`.cover.${classes.replaceAll(' ', '.')}`, palette),
  )
  const letters = Array.from(theme.letters, ([id, hex]) => `.tiles>.letters-${id}{color:${hex}}\n`)
  const focuses = Array.from(theme.focuses, focus => `.focus-${focus}{object-position:${focus.replace('-', '% ')}%}\n`)
  const logos = await trimRules(guide, theme)
  const frame = theme.hasTheme ? frameRules({ ...theme, hasLogo: Boolean(theme.logo || theme.logoDark) }) : []
  const texts = [...frame, ...logos, ...rules, ...grounds, ...edges, ...covers, ...letters, ...focuses]
  return { ...guideText(guide, texts.join(''), 'text/css'), keptMs }
}

/** The theme of the pages before a guide, with the addresses of its fonts. */
type FrontTheme = Pick<WorkspaceTheme, 'accent' | 'ground' | 'corners'> & {
  fonts?: readonly (WorkspaceFont & { address: string })[] | undefined
}

/** The style sheet of the pages before a guide. */
export function accentSheet({ accent = NEUTRAL.text, ground, corners, fonts = [] }: FrontTheme): string {
  const light = lightPalette({ accent, ground })
  const scheme = isDark(light.ground) ? ':root{color-scheme:dark}\n' : ''
  const dark = scheme ? light : darkPalette({ accent, ground })
  const faces = fonts.map(
    ({ address, weights, style }) =>
      `@font-face{font-family:Workspace;font-weight:${weights.join(' ')};font-style:${style};font-display:swap;src:url(${cssString(address)})}\n`,
  )
  const letters = faces.length > 0 ? 'body,input,button{font-family:Workspace,system-ui,sans-serif}\n' : ''
  const title = `.front h1{background:${light.accent};color:${light.onAccent}}\n`
  return [...frameRules({ light, dark, corners, hasLogo: true }), scheme, ...faces, letters, title].join('')
}

type Frame = Pick<GuideTheme, 'light' | 'dark' | 'corners' | 'lines' | 'motion'> & {
  paper?: Palette | undefined
  hasLogo: boolean
}

/** The rules that every page with a theme has. `paper` is undefined if light pages are legible on paper as they are. */
function frameRules({ light, dark, paper, corners, lines, motion, hasLogo }: Frame): string[] {
  const colors = PROPERTIES.map(([name, key]) => {
    const onLight = light[key]
    const onDark = dark[key]
    return `${name}:${onLight === onDark ? onLight : `light-dark(${onLight},${onDark})`}`
  })
  const corner = typeof corners === 'number' ? `${Math.min(corners, MAX_CORNER)}px` : CORNERS[corners ?? 'soft']
  const properties = [...colors, `--paper:${light.ground}`, '--backing:var(--paper)', `--corner:${corner}`]
  const printed = paper ? `@media print{:root:not(.book){color-scheme:light;${declarations(paper)}}}\n` : ''
  return [
    `:root{${properties.join(';')}}\n`,
    printed,
    lines ? `:root,[class*=ground-],.cover{--rule:${RULES[lines]}}\n` : '',
    motion === 'none' ? STILL_RULES : '',
    ACCENT_RULES,
    ...(hasLogo ? [LOGO_RULES] : []),
  ]
}

const RULES = { none: '0', hair: '1px solid var(--line)', rule: '2px solid' } as const

const STILL_RULES = `:root{--short:0s;--long:0s;scroll-behavior:auto}
`

const ACCENT_RULES = `::selection,main form button{background:var(--accent);color:var(--on-accent)}
main form button{border-color:transparent;font-weight:600}
`

/** A logo is never cut. */
const LOGO_RULES = `.logo{width:auto;max-width:min(100%,13rem);height:1.75rem;vertical-align:middle;object-fit:contain;object-position:left}
.logo:dir(rtl){object-position:right}
.logo.tall{height:2.5rem}
.logo[class*=ground-]{--pad:.375rem;--round:.25rem;padding:.375rem;border-radius:.25rem}
`

/** The custom properties of the style sheets, and their keys in a palette. */
const PROPERTIES = [
  ['--ground', 'ground'],
  ['--text', 'text'],
  ['--quiet', 'quiet'],
  ['--line', 'line'],
  ['--border', 'border'],
  ['--code', 'surface'],
  ['--target', 'mark'],
  ['--link', 'link'],
  ['--accent', 'accent'],
  ['--on-accent', 'onAccent'],
] as const satisfies readonly (readonly [string, keyof Palette])[]

const CORNERS = { square: '0', soft: '.375rem', round: '1rem' } as const
/** In pixels. */
const MAX_CORNER = 40

/** A band that hardly differs from the page in one scheme has a line at its edges. */
function edgeRule({ light, dark }: GuideTheme, id: string, ground: string): string {
  const isFlat = [light, dark].some(page => contrastOf(page.ground, ground).ratio < MIN_EDGE)
  return isFlat ? `.band.ground-${id}{border-block:1px solid var(--line)}\n` : ''
}

/** The contrast of a band to the page from which its edge is visible. */
const MIN_EDGE = 1.15

/**
 * The colours of a ground or cover. Its letters are large (`--least`) if their contrast is only enough for large ones. Its
 * scheme is the one in which browsers draw legible controls on it. An id consists of letters, digits and hyphens, so it
 * needs no escape in a class (CSS Syntax 3 §4.3.9).
 */
function groundRule(selector: string, palette: Palette): string {
  const least = contrastOf(palette.text, palette.ground).ratio < MIN_CONTRAST ? '--least:1;' : ''
  return `${selector}{${least}${declarations(palette)};background:var(--ground);color:var(--text);color-scheme:${isDark(palette.ground) ? 'dark' : 'light'};print-color-adjust:exact}\n`
}

function declarations(palette: Palette): string {
  return PROPERTIES.map(([name, key]) => `${name}:${palette[key]}`).join(';')
}
