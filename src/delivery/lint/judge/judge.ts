import { converter, differenceCiede2000, formatHex8 } from 'culori'
import { mostSimilar } from '#brand/similar.ts'
import { contrastOf } from '#brand/styles/contrast.ts'
import { smallestSize } from '#brand/type-style.ts'
import { WEIGHT_NAMES } from '#formats/font/font-weight.ts'
import { lazy, pick, withoutUndefined } from '#platform/base/object.ts'
import { type Edit, groupsOf, memoize, quote } from '#platform/base/text.ts'
import { type Fix, type LintFinding, oneLine, type Problem, type Rule } from '../finding.ts'
import type { IgnoredLines } from '../ignore.ts'
import type { LintBrand, LintColor, LintType } from '../lint-brand.ts'
import { lettersOf } from '../others.ts'
import type { ColorUse, FileUse, PictureUse, Place, TypeUse, Use } from '../use.ts'
import { createBuildRule } from './builds.ts'
import { createInkRule } from './inks.ts'
import { preflightRule } from './preflight.ts'
import { createWordRule } from './words.ts'

/** Whether a file may use variables of the brand, and whether it does already. */
export type VariableUse = 'none' | 'possible' | 'used'

/** Compares the uses of a file with a brand. */
export type Judge = (
  uses: Iterable<Use>,
  options: { path: string; variables: VariableUse; wantsEdits: boolean; ignored: IgnoredLines },
) => Judgement

/** What a file says, compared with a brand. */
export type Judgement = {
  /** In the order of their first places, with the path of the options. */
  findings: LintFinding[]
  /** Replacements that make almost right colours right. They may overlap, where a place is read twice. */
  edits: Edit[]
  /** The colours that stay because their difference would be lost, in sentences without their file. */
  left: string[]
  /** The files inside the file. */
  files: (FileUse & Place)[]
  /** The pictures that a page places, without those on ignored lines. */
  pictures: (PictureUse & Place)[]
}

export function createJudge(brand: LintBrand): Judge {
  const rules = [contrastRule, preflightRule, unreadableRule, ...CREATE_RULES.map(create => create(brand))]
  return (uses, { path, variables, wantsEdits, ignored }) => {
    const findings = new Map<string, LintFinding>()
    const add = (use: Place, problem: Problem, severity: LintFinding['severity']) => {
      const before = findings.get(keyOf(problem))
      if (before) before.count++
      else if (findings.size >= MAX_FINDINGS && problem !== TOO_MANY) add(use, TOO_MANY, brand.levels.unreadable)
      else findings.set(keyOf(problem), findingOf(use, problem, path, severity))
    }
    const [fixes, files, pictures]: [Fix[], Judgement['files'], Judgement['pictures']] = [[], [], []]
    const colors = new Set<string>()
    for (const use of uses) {
      if (use.kind === 'color') colors.add(use.color.hex)
      if (use.kind === 'file') files.push(use)
      if (use.kind === 'picture' && !ignored.get(use.line ?? 0)?.has('logo-stretched')) pictures.push(use)
      for (const rule of rules)
        for (const problem of rule(use)) {
          const severity = brand.levels[problem.rule]
          if (severity === 'off' || (problem.rule === 'color-literal' && variables === 'none')) continue
          if (ignored.get((problem.place ?? use).line ?? 0)?.has(problem.rule)) continue
          add(use, problem, problem.isWarning && severity === 'error' ? 'warning' : severity)
          const fix = wantsEdits ? problem.edit?.(variables === 'used') : undefined
          if (fix) fixes.push(fix)
        }
    }
    return { findings: [...findings.values()], ...safeFixes(fixes, colors), files, pictures }
  }
}

const CREATE_RULES = [
  createColorRule,
  createSchemeRule,
  createFontRule,
  createTypeRule,
  createWordRule,
  createInkRule,
  createBuildRule,
]

/** The fixes that never make two colours of a file the same. `colors` are all of them, as `#` and six digits. */
function safeFixes(fixes: readonly Fix[], colors: ReadonlySet<string>): Pick<Judgement, 'edits' | 'left'> {
  const sources = new Map<string, Set<string>>()
  for (const { from, to } of fixes) if (from !== to) sources.set(to, (sources.get(to) ?? new Set()).add(from))
  for (const [to, { size }] of sources) if (size < 2 && !colors.has(to)) sources.delete(to)
  const left = Array.from(sources, ([to, from]) => {
    const why = colors.has(to) ? `which the file has, too` : 'and no longer differ'
    return `${[...from].join(' and ')} would become ${to}, ${why}, so --fix leaves ${from.size > 1 ? 'them' : 'it'}: write ${to} where it is right`
  })
  const edits = fixes.filter(({ from, to }) => from === to || !sources.has(to))
  return { edits: edits.map(fix => pick(fix, ['start', 'end', 'text'])), left }
}

function keyOf({ rule, value }: Problem): string {
  return `${rule} ${value}`
}

/** The most findings of a file; one more says that there are others. */
const MAX_FINDINGS = 10_000

const TOO_MANY = unreadable(
  `has more than ${MAX_FINDINGS} findings; the others are left out: correct some, and try again`,
)

function unreadableRule(use: Use): Problem[] {
  return use.kind === 'unreadable' ? [unreadable(use.message)] : []
}

function unreadable(message: string): Problem {
  return { rule: 'unreadable', value: message, details: () => ({ message }) }
}

function findingOf(
  use: Place,
  { rule, value, place = use, details }: Problem,
  path: string,
  severity: LintFinding['severity'],
): LintFinding {
  const at = pick(place, ['line', 'column', 'slide', 'page', 'shape'])
  return { severity, rule, path, ...at, ...withoutUndefined(details()), count: 1, value }
}

/** The contrast of WCAG 2.2 §1.4.3; large are 18 pt, and 14 pt if bold. A colour on itself is hidden on purpose. */
function contrastRule(use: Use): Problem[] {
  if (use.kind !== 'contrast' || use.text === use.ground) return []
  const { size = 0, weight = 400 } = use
  const isLarge = size >= 24 || (size >= 18.66 && weight >= 700)
  const [minimum, noun] = isLarge ? [3, 'large text'] : [4.5, 'text']
  const { ratio, text } = contrastOf(use.text, use.ground)
  if (ratio >= minimum) return []
  const found = `${use.text} on ${use.ground}`
  const message = `${found} has a contrast of ${text}, but ${noun} needs ${minimum}: choose a darker or a lighter colour`
  return [{ rule: 'contrast-low', value: found, details: () => ({ found, ratio: Number(text), message }) }]
}

/** The rule for sizes, weights and line heights that are almost those of a type style. */
function createTypeRule({ types }: LintBrand): Rule {
  const keys = new Map(types.map(type => [type, type.families.map(familyKey)]))
  return use => {
    if (use.kind !== 'type' || use.size === undefined) return []
    const { size, weight, leading, written = {} } = use
    const key = familyKey(use.family ?? '')
    const own = types.filter(type => keys.get(type)?.some(other => isFamily(key, other)))
    const styles = own.length > 0 ? own : types
    const sized = styles.filter(style => isEqual('size', size, style))
    if (sized.length > 0)
      return [...problemsOf('weight', weight, sized, written), ...problemsOf('leading', leading, sized, written)]
    return styles.some(style => isBetween(size, style)) ? [] : problemsOf('size', size, styles, written)
  }
}

type Property = 'size' | 'weight' | 'leading'

/** Differences of rounded values and a tenth, with the error of binary fractions. */
const ROUNDING: Readonly<Record<Property, number>> = { size: 0.050001, weight: 0.500001, leading: 0.005001 }
const TENTH = 0.100001

function isEqual(property: Property, value: number, style: LintType): boolean {
  return Math.abs(value - (style[property] ?? Number.NaN)) <= ROUNDING[property]
}

/** Whether a responsive style has a size on a screen from 360 to 1200 px (`fluidSize` in the exports). */
function isBetween(value: number, { size = 0, responsive }: LintType): boolean {
  return responsive && value >= smallestSize(size) - ROUNDING.size && value <= size
}

/** A value within a tenth of one of a style, but equal to none. */
function problemsOf(
  property: Property,
  value: number | undefined,
  styles: readonly LintType[],
  written: NonNullable<TypeUse['written']>,
): Problem[] {
  if (value === undefined || styles.some(style => isEqual(property, value, style))) return []
  const shares = styles.flatMap(style => {
    const own = style[property]
    return own === undefined ? [] : [{ style, own, share: Math.abs(value - own) / own }]
  })
  const nearest = shares.toSorted((a, b) => a.share - b.share)[0]
  if (!nearest || nearest.share > TENTH) return []
  const { id, guide } = nearest.style
  const noun = property === 'leading' ? 'line height' : property
  const plain = withUnit(value, property === 'size' ? 'px' : '')
  const found = written[property] ?? plain
  const unit = property === 'size' ? (groupsOf(/pt$|rem$/i, found)[0] ?? 'px') : ''
  const write = withUnit(nearest.own / (PX[unit] ?? 1), unit)
  const message = `the ${noun} ${found} is almost ${write} of the type style "${id}": write ${write}`
  const details = () => ({ found, nearest: id, write, guide, message })
  return [{ rule: 'type-near', value: `${property} ${plain}`, details }]
}

/** Pixels of the units in which sizes are also written (CSS Values 4 §6.2). */
const PX: Readonly<Record<string, number>> = { pt: 4 / 3, rem: 16 }

function withUnit(value: number, unit: string): string {
  return `${Math.round(value * 1000) / 1000}${unit}`
}

function createFontRule({ families, types, allowedFonts }: LintBrand): Rule {
  const keys = families.map(familyKey)
  const right = [...keys, ...allowedFonts.map(familyKey)]
  const isRight = memoize(key => GENERIC.test(key) || right.some(family => isFamily(key, family)))
  const codeStyle = types.find(({ families: own }) => own.some(family => familyKey(family) === 'monospace'))
  return use => {
    const key = use.kind === 'font' ? familyKey(use.family) : ''
    if (use.kind !== 'font' || key === '' || keys.length === 0 || isRight(key)) return []
    if (use.sources?.some(source => keys.some(family => lettersOf(source).startsWith(lettersOf(family))))) return []
    // A quarter of the letters: names that differ more are those of other families.
    const similar = families[keys.indexOf(mostSimilar(key, keys, 1 / 4) ?? '')]
    if (!similar && (SYMBOLS.test(key) || (use.isCode && (!codeStyle || SYSTEM_CODE.test(key))))) return []
    const details = () => {
      const usual = use.isCode ? codeStyle : types.find(({ id }) => id === 'body')
      const style = similar ? types.find(({ families: own }) => own.includes(similar)) : usual
      const write = similar ?? style?.families[0]
      const fix = write === undefined ? 'use a family of the brand' : `write ${quote(write)}`
      const message = `${quote(use.family)} is not a family of the brand: ${fix}`
      return { found: oneLine(use.family), nearest: similar && style?.id, write, guide: style?.guide, message }
    }
    return [{ rule: 'font-off', value: key, details }]
  }
}

/** CSS Fonts 4 §2.1.4. */
const GENERIC = /^(?:(?:ui-)?(?:serif|sans-serif|monospace|rounded)|cursive|fantasy|math|emoji|fangsong|sans|mono)$/

/** Families of icons, emoji, signs and formulas, and of operating systems for other scripts, in the form in which families are compared. */
const SYMBOLS = new RegExp(
  '^(?:font ?awesome|material (?:icons|symbols)|bootstrap.icons|dashicons|glyphicons|genericons|ionicons|octicons|' +
    'phosphor|remixicon|codicon|slick$|icomoon|fontello|themify|typicons|videojs$|swiper-icons|etmodules$|' +
    'line ?awesome|linearicons|feather$|lucide$|flaticon|devicon|entypo|zocial|lg$|star$|woocommerce$|tinymce|' +
    'segoe (?:ui (?:emoji|symbol)|mdl2|fluent)|apple (?:color emoji|symbols)|noto (?:color )?emoji|' +
    'noto sans symbols|twemoji|emojione|android emoji|symbol$|wingdings|webdings|zapf ?dingbats|' +
    'katex|mathjax|cambria math|kohinoor|pingfang|hiragino|apple ?sd ?gothic|geeza ?pro|mukta ?mahee|malgun gothic|' +
    'microsoft (?:yahei|jhenghei)|simsun|nirmala ui|meiryo|\\w+ ?sangam ?mn)|(?:^|[ _-])icons?(?:$|[ _-])|icons$',
)

/** Families for code of operating systems. */
const SYSTEM_CODE =
  /^(?:sf ?mono|menlo|monaco|consolas|courier|andale mono|lucida console|cascadia|(?:liberation|dejavu sans|ubuntu) mono)/

/** A family as families are compared. Next.js named them `__acmeSans_1a2b3c` up to version 14. */
function familyKey(name: string): string {
  const family = name.replace(/^__(.+?)(?:_Fallback)?_[\da-f]{6}$/i, (_, own: string) => own.replaceAll('_', ' '))
  return family.replace(/["']/g, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a family, both as keys, is another one or a style of it: `acme sans semibold`. */
function isFamily(key: string, family: string): boolean {
  // PostScript names have no spaces, and a hyphen before the style (OpenType, name ID 6): `AcmeSans-BoldItalicMT`.
  const joined = family.replaceAll(' ', '')
  const name = key.startsWith(family) ? family : joined
  const rest = key.slice(name.length).replace(/^(?:ps)?(?:mt)?(?=$|-)|mt$(?<=-.*)/g, '')
  if (key !== family && OTHER_FAMILIES.has(key.replace('-', ' '))) return false
  return key.startsWith(name) && /^(?:$|[ _-])/.test(rest) && rest.split(/[ _-]+/).every(word => STYLE.test(word))
}

/** Families of operating systems whose names look like styles of others. */
const OTHER_FAMILIES: ReadonlySet<string> = new Set(['arial black', 'arial narrow', 'segoe ui black'])

/** The words after a family in names of fonts (OpenType, name IDs 1 and 6), some joined: `condensedbold`. */
const STYLE = new RegExp(
  `^(?:${WEIGHT_NAMES.join('|')}|extra|semi|ultra|ital|italic|it|obl|oblique|variable|vf|narrow|compressed|` +
    'cond|condensed|expanded|extended|wide){0,4}$',
)

function createColorRule({ colors, neutrals }: LintBrand): Rule {
  const ownColors = new Map(colors.toReversed().map(color => [color.hex, color]))
  const darkOnes = colors.flatMap(({ dark, ...color }) => (dark === undefined ? [] : [{ ...color, hex: dark }]))
  const darkValues = new Set(darkOnes.map(({ hex }) => hex))
  const nearestTo = createNearest([...colors, ...darkOnes])
  return use => {
    if (use.kind !== 'color' || use.color.alpha === 0) return []
    const { hex } = use.color
    const own = ownColors.get(hex)
    if (own) return isLiteral(use) ? [problemOf(use, 'color-literal', { color: own, deltaE: 0 })] : []
    if (darkValues.has(hex)) return []
    const hasNeutrals = neutrals === 'usual'
    if (hasNeutrals && isNeutral(hex, use.role)) return []
    const base = use.shade && ownColors.get(use.shade.of)
    if (use.shade && colors.length > 0 && (base || (hasNeutrals && isNeutral(use.shade.of, 'text'))))
      return [shadeProblem(use, use.shade, base)]
    const nearest = nearestTo(hex)
    return nearest ? [problemOf(use, nearest.deltaE < 2 ? 'color-near' : 'color-off', nearest)] : []
  }
}

/** The rule for light values in code for dark pages, unless the colour may be on the ground there. */
function createSchemeRule({ colors }: LintBrand): Rule {
  const right = new Set(colors.map(({ hex, dark }) => dark ?? hex))
  const onGround = (ground: string) =>
    new Set(colors.flatMap(({ id, hex, dark }) => ([hex, dark].includes(ground) ? [id] : [])))
  return use => {
    if (use.kind !== 'scheme' || right.has(use.hex)) return []
    const { hex, written, ground } = use
    const own = colors.find(color => color.hex === hex)
    if (own?.dark === undefined) return []
    if (ground !== undefined && own.on?.some(id => onGround(ground).has(id))) return []
    const { id, dark: write, guide } = own
    const message = `${oneLine(written)} is the light value of "${id}", in code for dark pages: write ${write}`
    const details = () => ({ found: oneLine(written), nearest: id, write, guide, message })
    return [{ rule: 'color-scheme', value: hex, details }]
  }
}

/** The nearest colour of a brand; of equally near ones, the first. None if the brand has no colours. */
function createNearest(colors: readonly LintColor[]): (hex: string) => Nearest | undefined {
  const labs = lazy(() => colors.map(color => ({ color, lab: toLab(color.hex) ?? color.hex })))
  return memoize(hex => {
    const own = toLab(hex) ?? hex
    const distances = labs().map(({ color, lab }) => ({ color, deltaE: difference(own, lab) }))
    return distances.toSorted((a, b) => a.deltaE - b.deltaE)[0]
  })
}

type Nearest = { color: LintColor; deltaE: number }

const toLab = converter('lab65')
const difference = differenceCiede2000()

/** White as a ground; black, white and pure greys elsewhere. */
function isNeutral(hex: string, role: ColorUse['role']): boolean {
  return role === 'ground' ? hex === '#ffffff' : hex.slice(1, 3).repeat(2) === hex.slice(3)
}

/** Whether a variable could be written instead: a file that has its own notation for colours is not CSS. */
function isLiteral({ color, role, span, rewrite }: ColorUse): boolean {
  return span !== undefined && rewrite === undefined && role !== 'definition' && color.alpha === 1
}

/** A tint or shade of a colour of the brand, or of its neutral colours, which have no id. */
function shadeProblem(use: ColorUse, { of, change, style }: NonNullable<ColorUse['shade']>, base?: LintColor): Problem {
  const place = style ? `${style.replace(/^./, letter => letter.toUpperCase())}: ` : ''
  const name = base ? `"${base.id}"` : of
  const fix = 'use the colour itself, or turn color-shade off'
  const message = `${place}${name}, ${change}: ${use.written} is made of a colour of the theme; ${fix}`
  const details = () => ({ found: oneLine(use.written), nearest: base?.id, guide: base?.guide, message })
  return { rule: 'color-shade', value: use.color.hex, details }
}

type ColorRuleId = 'color-near' | 'color-off' | 'color-literal'

function problemOf(use: ColorUse, rule: ColorRuleId, { color: { id, hex, guide }, deltaE: exact }: Nearest): Problem {
  // The name in `export --to css`. Ids are slugs, so that nothing needs an escape.
  const variable = `var(--color-${id})`
  const details = () => {
    const [found, deltaE] = [oneLine(use.written), Math.round(exact * 100) / 100]
    const fields = { found, nearest: id, guide }
    if (rule === 'color-off') {
      const message = `${found} is not a colour of the brand: use one`
      if (exact > MAX_NEAREST) return { found, message }
      return { ...fields, deltaE, message: `${message}; the nearest is "${id}" (${hex}, ΔE ${deltaE})` }
    }
    if (rule === 'color-literal')
      return { ...fields, write: variable, message: `${found} is the colour "${id}": write ${variable}` }
    const write = withAlpha(hex, use) ?? hex
    return { ...fields, write, deltaE, message: `${found} is almost the colour "${id}" (ΔE ${deltaE}): write ${write}` }
  }
  const edit = (usesVariables: boolean) => {
    if (!use.span || rule === 'color-off' || (rule === 'color-literal' && !usesVariables)) return undefined
    const isVariable = usesVariables && use.role !== 'definition' && use.color.alpha === 1
    const text = use.rewrite?.(hex) ?? (isVariable ? variable : withAlpha(hex, use))
    return text === undefined || text === use.written ? undefined : { ...use.span, text, from: use.color.hex, to: hex }
  }
  return { rule, value: use.color.hex, details, edit }
}

/** The largest ΔE 2000 at which one colour may be meant as another; beyond it, the nearest one is chance. */
const MAX_NEAREST = 12

/** A colour with the alpha of a use, in its notation; undefined if the text of the use does not have the alpha. */
function withAlpha(hex: string, { written, color: { alpha } }: ColorUse): string | undefined {
  if (alpha === 1) return hex
  const channels = [1, 3, 5].map(start => Number.parseInt(hex.slice(start, start + 2), 16))
  const css = `rgb(${channels.join(' ')} / ${alpha})`
  if (/^#(?:[\da-f]{4}|[\da-f]{8})$/i.test(written)) return formatHex8(css)
  return /^[a-z][\w-]*\([^()]*\)$/i.test(written) ? css : undefined
}
