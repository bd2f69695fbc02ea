import {
  APPEARANCE_FIELDS,
  type Appearance,
  OFFICE_COLORS,
  OFFICE_FONTS,
  type OfficeTheme,
  SCALE_FIELDS,
  type Theme,
} from '#brand/appearance.ts'
import type { Color } from '#brand/color.ts'
import type { Content } from '#brand/draft.ts'
import { keysOf } from '#brand/fields.ts'
import { type BrandFile, fontMetadata, isForPreviews, isPicture } from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import type { BrandWord } from '#brand/lint-rules.ts'
import { MIN_CONTRAST, themePairs } from '#brand/styles/contrast.ts'
import { pick, unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { pictureFormatProblem } from './media/picture-format.ts'
import { foldersOf, pathFinder, resolvePath } from './pages/link-target.ts'
import type { PageSource } from './pages/pages.ts'
import type { WrittenOffice, WrittenTheme, WrittenWord } from './project/project-file.ts'
import type { ProjectReading } from './reading.ts'
import { advice } from './yaml/nearest.ts'
import { missingReference, type Reference, styleFinder, suggester, targetOf } from './yaml/references.ts'

/** Resolves the appearance in project.yaml. Reports and omits broken references, and reports too little contrast. */
export function resolveAppearance(
  { project, report }: Pick<ProjectReading, 'report'> & { project: Pick<ProjectReading['project'], 'file'> },
  targets: ReferenceTargets,
): ProjectAppearance {
  const problems: Problem[] = []
  const { theme: written, socialImage: writtenImage, office, words } = project.file
  const findPicture = pictureFinder(targets.files)
  const theme = written && resolveTheme(written, targets, findPicture, problems)
  const socialImage = resolved('"socialImage"', writtenImage, findPicture, problems)
  if (written && theme) problems.push(...formatProblems(written, theme, targets.files))
  if (socialImage !== undefined) problems.push(...previewProblems(writtenImage, targets.files, socialImage))
  const appearance = withoutUndefined({
    ...pick(project.file, keysOf(PROJECT_APPEARANCE_FIELDS)),
    theme,
    socialImage,
    office: office && resolveOffice(office, targets, problems),
    words: words && resolveWords(words, targets.pages, problems),
  })
  if (written && theme) problems.push(...contrastProblems(written, theme, targets.colors))
  report('project.yaml', ...problems)
  return appearance
}

/** The appearance in project.yaml: everything except the folders of files.yaml. */
type ProjectAppearance = Omit<Appearance, 'folders'>

const { folders, ...PROJECT_APPEARANCE_FIELDS } = APPEARANCE_FIELDS

function resolveTheme(
  { scale = {}, corners, lines, motion, dark, layout, ...references }: WrittenTheme,
  { colors, types, files }: ReferenceTargets,
  findPicture: PathFinder,
  problems: Problem[],
): Theme {
  const findColor = styleFinder('styles/colors.yaml', colors)
  const findType = styleFinder('styles/types.yaml', types)
  const scaleEntries = keysOf(SCALE_FIELDS).map(
    key => [key, resolved(`"${key}" of "scale"`, scale[key], findType, problems)] as const,
  )
  const follow = <Found>(
    key: keyof typeof references,
    find: (subject: string, reference: Reference) => Result<Found, Problem>,
  ): Found | undefined => resolved(`"${key}"`, references[key], find, problems)
  return withoutUndefined({
    logo: follow('logo', findPicture),
    logoDark: follow('logoDark', findPicture),
    icon: follow('icon', findPicture),
    accent: follow('accent', findColor),
    ground: follow('ground', findColor),
    text: follow('text', findColor),
    heading: follow('heading', findType),
    body: follow('body', findType),
    scale: unlessEmpty(withoutUndefined(Object.fromEntries(scaleEntries))),
    corners,
    lines,
    motion,
    dark,
    layout,
    download: follow('download', downloadFinder(files)),
  } satisfies Record<keyof Theme, unknown>)
}

/** The target of a reference, if there is one. Reports a missing target. */
function resolved<Value>(
  subject: string,
  reference: Reference | undefined,
  find: (subject: string, reference: Reference) => Result<Value, Problem>,
  problems: Problem[],
): Value | undefined {
  return targetOf(
    reference,
    wanted => find(subject, wanted),
    problem => problems.push(problem),
  )
}

type PathFinder = (subject: string, reference: Reference) => Result<string, Problem>

function pictureFinder(files: readonly BrandFile[]): PathFinder {
  const paths = files.map(({ path }) => path)
  const pictures = new Set(files.filter(isPicture).map(({ path }) => path))
  const find = fileFinder(paths, pictures, 'is not a file of the project')
  return (subject, reference) => {
    const path = find(subject, reference)
    if (!path.ok || pictures.has(path.value)) return path
    const message = `${subject} is ${quote(reference.text)}, which is not a picture; write the path of a picture`
    return failed({ rule: 'value-invalid', line: reference.line, message })
  }
}

/** Finds a file, or a folder below `files/`. */
function downloadFinder(files: readonly BrandFile[]): PathFinder {
  const paths = files.map(({ path }) => path)
  const all = [...paths, ...foldersOf(paths)]
  return fileFinder(all, all, 'is neither a file nor a folder of files in the project')
}

/** Finds one of the paths, which start at the folder of project.yaml. For a missing one, suggests a candidate. */
function fileFinder(paths: readonly string[], candidates: Iterable<string>, why: string): PathFinder {
  const find = pathFinder(paths)
  const suggest = suggester(candidates)
  return (subject, reference) => {
    const wanted = resolvePath('', reference.text) ?? ''
    const path = find(wanted)
    if (path !== undefined) return ok(path)
    const meant = find(`files/${wanted}`) ?? suggest(wanted)
    const reason = `${why} (paths start at the folder of project.yaml)`
    return failed({ ...missingReference(subject, reference, reason, meant), missing: { path: wanted } })
  }
}

/** Reports pictures of the theme that browsers do not show. */
function formatProblems(written: WrittenTheme, theme: Theme, files: readonly BrandFile[]): Problem[] {
  const contentTypes = new Map(files.map(({ path, contentType }) => [path, contentType]))
  return (['logo', 'logoDark', 'icon'] as const).flatMap(key => {
    const path = theme[key]
    if (path === undefined) return []
    return pictureFormatProblem(`"${key}": ${quote(path)}`, contentTypes.get(path), written[key]?.line ?? null) ?? []
  })
}

/** Reports a picture for link previews whose format they cannot show. */
function previewProblems(reference: Reference | undefined, files: readonly BrandFile[], path: string): Problem[] {
  if (isForPreviews(files.find(file => file.path === path))) return []
  const message = `"socialImage" is ${quote(path)}, which link previews cannot show: use a PNG, JPEG, WebP or GIF, ideally 1200 × 630 pixels`
  return [{ rule: 'social-image-format', line: reference?.line ?? null, message }]
}

function contrastProblems(written: WrittenTheme, theme: Theme, colors: readonly Color[]): Problem[] {
  // If a colour is missing, the contrast of the others is meaningless.
  if ((['accent', 'ground', 'text'] as const).some(key => written[key] && theme[key] === undefined)) return []
  return themePairs(theme, colors).flatMap(({ letters, names, contrast }) => {
    if (contrast.ratio >= MIN_CONTRAST) return []
    const line = (written[letters] ?? written.ground)?.line ?? null
    const message = `the ${letters} of the theme, ${quote(names[0])} on ${quote(names[1])}, has a contrast of ${contrast.text}, but WCAG 2.2 requires ${MIN_CONTRAST}: choose another pair; until then the website uses readable colours`
    return [{ rule: 'theme-contrast' as const, line, message }]
  })
}

/** The parts of a project that its appearance may refer to. */
export type ReferenceTargets = Pick<Content, 'colors' | 'types' | 'files'> & {
  pages: readonly Pick<PageSource, 'id' | 'source'>[]
}

/** Resolves the Office theme. Omits missing colours. Keeps unknown families, because Office has its own fonts. */
function resolveOffice(written: WrittenOffice, targets: ReferenceTargets, problems: Problem[]): OfficeTheme {
  const findColor = styleFinder('styles/colors.yaml', targets.colors)
  const colors = OFFICE_COLORS.map(key => [key, resolved(`"${key}"`, written[key], findColor, problems)] as const)
  const fonts = OFFICE_FONTS.map(key => [key, written[key]?.text] as const)
  const families = familiesOf(targets)
  const suggest = suggester(families)
  for (const key of OFFICE_FONTS) {
    const reference = written[key]
    if (!reference) continue
    const { text, line } = reference
    if (!families.has(text)) problems.push(unknownFamily(key, text, line, suggest(text)))
  }
  return withoutUndefined(Object.fromEntries([...colors, ...fonts]))
}

/** The families of all fonts and type styles, including fallbacks. */
function familiesOf({ types, files }: ReferenceTargets): ReadonlySet<string> {
  const ofFonts = files.flatMap(file => fontMetadata(file).family ?? [])
  const ofStyles = types.flatMap(({ family, fallback = [] }) =>
    family === undefined ? fallback : [family, ...fallback],
  )
  return new Set([...ofFonts, ...ofStyles])
}

function unknownFamily(key: string, family: string, line: number, meant: string | undefined): Problem {
  const help = advice(meant, 'add the font, or list the family as a fallback in styles/types.yaml')
  const message = `"${key}" in "office" is ${quote(family)}, a family that no font under files/ and no type style has; ${help}`
  return { rule: 'font-family-missing', line, message }
}

/** Resolves the pages of words, which are ids or paths from project.yaml. Reports and omits missing ones. */
function resolveWords(
  words: readonly WrittenWord[],
  pages: ReferenceTargets['pages'],
  problems: Problem[],
): BrandWord[] {
  const pageAt = new Map(pages.map(({ id, source }) => [source.normalize('NFC'), id]))
  for (const { id } of pages) pageAt.set(id, id)
  const suggest = suggester(pageAt.keys())
  return words.map(({ page: reference, ...word }) => {
    if (!reference) return word
    const path = resolvePath('', reference.text.normalize('NFC')) ?? ''
    const page = pageAt.get(path)
    if (page === undefined) {
      const why = 'is neither the id of a page nor its path from project.yaml'
      const missing = { path: path.endsWith('.md') ? path : `pages/${path}.md` }
      problems.push({ ...missingReference('"page"', reference, why, suggest(path)), missing })
    }
    return withoutUndefined({ ...word, page })
  })
}
