import { filename } from '#brand/file.ts'
import { slug } from '#brand/ids.ts'
import { type FoundStyle, type FoundStyles, isInGroup, type TokenPlace } from '#brand/tokens/found-styles.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { jsonText } from '#formats/json/json.ts'
import { OperationalError } from '#platform/base/error.ts'
import { groupsOf, quote, wordSet } from '#platform/base/text.ts'
import type { Notes, Reason } from './report/report.ts'
import { isOfUsualScheme, tokenPlace, withoutScheme } from './schemes.ts'
import { THEME_PREFIXES } from './sources/generators/theme-prefixes.ts'
import type { Entry } from './sources/source.ts'
import { namesColors } from './sources/style-names.ts'

/**
 * A file with its styles, those `others` that a guide has no place for, and the reason why a file without any is left out.
 * It `isJoined` if another file has one of its colours.
 */
export type StyleFile = {
  entry: Entry
  shown: string
  /** Whether it is of a website, or inside a page. */
  isSite: boolean
  lineOf: LineOf
  styles: FoundStyles
  others?: FoundStyles
  isJoined?: boolean
  reason?: Reason | undefined
}

/** The line of a value by its name: where the parts of the name follow each other as keys. */
export type LineOf = (name: string) => number

/** Keeps one of the colours that files give with the same place and value, such as tokens and the sheet made of them. */
export function joinEqual(files: readonly StyleFile[]): void {
  const all = files.flatMap(file => file.styles.colors.map(color => ({ file, color, place: placeOf(color) })))
  const placed = all.filter(({ place }) => place !== '')
  const joined = new Set<FoundStyle>()
  for (const group of Map.groupBy(placed, ({ place, color }) => `${place} ${color.fields.get('hex')}`).values()) {
    const [fullest, ...others] = group.toSorted((a, b) => b.color.fields.size - a.color.fields.size)
    const [alias] = group.flatMap(({ color }) => color.token?.alias ?? [])
    if (fullest?.color.token) fullest.color.token.alias = alias
    for (const { color, file } of others) {
      joined.add(color)
      file.isJoined ||= file !== fullest?.file
    }
  }
  for (const { styles } of files) styles.colors = styles.colors.filter(color => !joined.has(color))
}

/** The place of a token in a comparable form; empty for a colour of a list. */
function placeOf({ token }: FoundStyle): string {
  return slug(token?.path ?? '')
}

/**
 * Leaves out the variables of style sheets that name no colour of a brand. If there is another palette, these are the
 * variables of a theme or of a website; if it is large enough, or a sheet has more variables than a palette, also those for
 * parts of pages, second names and scales of CSS frameworks. If pages or lists state a palette to readers, these are all
 * other values, except those of a sheet that is named for colours and has most of that palette. The report lists the
 * others as guesses.
 */
export function leaveOutParts(
  files: readonly StyleFile[],
  tables: readonly Pick<StyleFile, 'styles'>[],
  notes: Notes,
): void {
  const sheets = files.filter(({ styles }) => styles.sheet)
  const others = [...files.filter(({ styles }) => !styles.sheet), ...tables].flatMap(({ styles }) => styles.colors)
  const stated = new Set(others.filter(({ token }) => token === undefined).flatMap(color => hexOf(color) ?? []))
  const variables = sheets.flatMap(({ styles }) => styles.colors)
  const isOfScale = scaleFinder(variables)
  const isRole = (style: FoundStyle) => isPart(style) || style.token?.alias !== undefined || isOfScale(style)
  const own = variables.filter(style => variables.length > MAX_PALETTE && !isRole(style))
  const isWhole = [others, own].some(colors => new Set(colors.map(hexOf)).size >= MIN_PALETTE)
  for (const file of sheets) {
    const isOfSite = (style: FoundStyle) => file.isSite || isOfTheme(style)
    const isLeft = (style: FoundStyle) => (others.length > 0 && isOfSite(style)) || (isWhole && isRole(style))
    leaveOut([file], isLeft, OF_THEME, notes)
    // A value for dark pages belongs to a role of the site.
    const isUnstated = ({ fields }: FoundStyle) =>
      fields.has('hex') && (fields.has('dark') || !stated.has(`${hexOf({ fields })}`))
    if (stated.size >= MIN_PALETTE && !isPaletteFile(file, stated)) leaveOut([file], isUnstated, UNSTATED, notes)
    const told = others.length > 0 ? [] : [...file.styles.colors, ...file.styles.types]
    for (const { name, fields } of told.filter(style => isOfSite(style) || isPart(style) || isOfScale(style)))
      notes.guessed.push({ path: file.shown, key: 'color', value: `${name}: ${valuesText(fields)}`, why: WEBSITE })
  }
}

/**
 * Leaves out the swatches that a program adds to each file, and others next to them, if pages state a palette, and neither
 * they nor another file has the value.
 */
export function leaveOutSwatches(
  files: readonly StyleFile[],
  tables: readonly Pick<StyleFile, 'styles'>[],
  notes: Notes,
): void {
  const { mixed = [], others = [] } = Object.groupBy(files, ({ styles }) =>
    styles.colors.some(({ name }) => OF_PROGRAM.test(name)) ? 'mixed' : 'others',
  )
  const valuesOf = (sources: readonly Pick<StyleFile, 'styles'>[]) =>
    new Set(sources.flatMap(({ styles }) => styles.colors.map(hexOf)))
  const ofPages = valuesOf(tables)
  const stated = ofPages.union(valuesOf(others))
  if (ofPages.size >= MIN_PALETTE) leaveOut(mixed, color => !stated.has(hexOf(color)), OF_SWATCHES, notes)
}

/** The names that programs give swatches: `R=193 G=39 B=45`. */
const OF_PROGRAM = /^R=\d{1,3} G=\d{1,3} B=\d{1,3}$/
const OF_SWATCHES = { what: 'a swatch next to the palette that the source states', isTechnical: true }

/** Leaves out the type styles of sheets, which are those of a website if styles that pages state have families. */
export function leaveOutFamilies(sheets: readonly StyleFile[], stated: readonly FoundStyle[], notes: Notes): void {
  if (stated.some(({ fields }) => fields.has('family')))
    leaveOut(sheets, ({ fields }) => !fields.has('hex'), OF_THEME, notes)
}

/** The fewest colours of a palette, and the most that a small style sheet has. */
const MIN_PALETTE = 3
const MAX_PALETTE = 20
const WEBSITE = 'a variable of a website, which may be no brand'
const UNSTATED = { what: 'a variable beside the palette that the source states', isTechnical: true }
const OF_THEME = { what: 'a variable of the theme of a website', isTechnical: true }

/** Whether a sheet has the palette of the brand, of which pages may show only a part. */
function isPaletteFile({ shown, styles }: StyleFile, stated: ReadonlySet<string>): boolean {
  const values = new Set(styles.colors.map(hexOf))
  return namesColors(filename(shown)) && stated.intersection(values).size * 2 > stated.size
}

/** The value of a colour as a list on a page or a file writes it. */
function hexOf({ fields }: Pick<FoundStyle, 'fields'>): string | undefined {
  const written = fields.get('hex') ?? `rgb(${fields.get('rgb')})`
  return readCssColor(String(written))?.hex
}

function wordsOf({ token, name }: FoundStyle): string[] {
  return slug(token?.path ?? name).split('-')
}

/** Whether a variable is of a theme, by its prefix, or a family that browsers show instead of another. */
function isOfTheme(style: FoundStyle): boolean {
  const words = wordsOf(style)
  return THEME_PREFIXES.has(words[0] ?? '') || words.at(-1) === 'fallback'
}

/** Whether a colour is for a part or a state of a page. */
function isPart(style: FoundStyle): boolean {
  return style.fields.has('hex') && wordsOf(style).some(word => PARTS.has(word))
}

const PARTS = wordSet(`background bg border text link button btn header footer nav navbar menu sidebar heading headings
  headline body page surface card popover input ring code table blockquote icon fill stroke outline shadow overlay scrollbar
  foreground fg tile h1 h2 h3 h4 h5 h6 hover focus active visited disabled selection placeholder inverted`)

/** Finds the colours of many hues with the same steps, as CSS frameworks have: `red-50` to `red-900`. */
function scaleFinder(colors: readonly FoundStyle[]): (style: FoundStyle) => boolean {
  const hueOf = (style: FoundStyle) => groupsOf(STEP, placeOf(style))[1] ?? ''
  const steps = Map.groupBy(colors, hueOf)
  steps.delete('')
  const hues = new Set([...steps].filter(([, same]) => same.length >= MIN_STEPS).map(([hue]) => hue))
  return style => hues.size >= MIN_HUES && hues.has(hueOf(style))
}

const STEP = /^(.+?)-?[1-9]?[05]0$/
const MIN_STEPS = 8
const MIN_HUES = 5

/** Keeps the colours of one scheme, then those in the chosen groups, or that name no other one if there are too many. */
export function keepChosen(files: readonly StyleFile[], groups: readonly string[], notes: Notes): void {
  const colorsOf = () => files.flatMap(({ styles }) => styles.colors)
  const tokensOf = () => colorsOf().flatMap(({ token }) => token ?? [])
  const usual = new Set(
    tokensOf()
      .filter(isOfUsualScheme)
      .map(token => withoutScheme(tokenPlace(token))),
  )
  const isLeft = (is: (token: TokenPlace) => boolean) => (style: FoundStyle) =>
    style.fields.has('hex') && style.token !== undefined && is(style.token)
  const isSecond = isLeft(token => !isOfUsualScheme(token) && usual.has(withoutScheme(tokenPlace(token))))
  leaveOut(files, isSecond, { what: SECOND }, notes)
  const tokens = tokensOf()
  const missing = groups.find(group => !tokens.some(token => isInGroup(token, group)))
  if (missing !== undefined) {
    const others = [...new Set(tokens.map(groupOf))].filter(Boolean).slice(0, MAX_NAMED).join(', ') || 'none'
    const why = `no colour is in the group ${quote(missing)} of --tokens; the source has: ${others}`
    throw new OperationalError('source_unreadable', why)
  }
  const count = new Set(colorsOf().map(({ name, fields }) => `${slug(name)} ${fields.get('hex')}`)).size
  const isOther = isLeft(token => !groups.some(group => isInGroup(token, group)))
  const isAlias = isLeft(({ alias }) => alias !== undefined)
  if (groups.length > 0) leaveOut(files, isOther, { what: 'colours in groups that --tokens does not name' }, notes)
  else if (count > MAX_COLORS) leaveOut(files, isAlias, { what: ALIASES }, notes)
}

const SECOND = 'a value of a second scheme, such as dark'
const MAX_COLORS = 200
const ALIASES = `colours that only name another one, of more than ${MAX_COLORS}: choose groups with --tokens GROUP`
const MAX_NAMED = 30

/** Leaves out styles; those of each group are lost together. */
function leaveOut(
  files: readonly StyleFile[],
  isLeft: (style: FoundStyle) => boolean,
  why: { what: string; isTechnical?: boolean },
  notes: Notes,
): void {
  for (const file of files) {
    const { colors, types } = file.styles
    const left = [...colors, ...types].filter(isLeft)
    if (left.length === 0) continue
    for (const [group, styles] of Map.groupBy(left, ({ token }) => groupOf(token))) {
      const values = styles.map(({ name, fields }) => `${name} ${fields.get('hex') ?? valuesText(fields)}`)
      const line = file.lineOf(tokenPlace(styles[0]?.token))
      const text = [group, values.join(', ')].filter(Boolean).join(': ')
      notes.lost.push({ path: file.shown, line, text, ...why })
    }
    const isKept = (style: FoundStyle) => !left.includes(style)
    Object.assign(file.styles, { colors: colors.filter(isKept), types: types.filter(isKept) })
    file.reason = { reason: why.what }
  }
}

/** The groups of a token, or the first words of a variable: `color.blue`. */
function groupOf(token: TokenPlace | undefined): string {
  return tokenPlace(token).replace(/\.[^.]*$|^([^.-]*)-[^.]*$/s, '$1')
}

export function valuesText(fields: FoundStyle['fields']): string {
  return Array.from(fields, ([key, value]) => `${key} ${jsonText(value)}`).join('; ')
}
