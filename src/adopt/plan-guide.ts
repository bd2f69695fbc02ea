import { stringify } from 'yaml'
import type { Color } from '#brand/color.ts'
import { describeProject } from './describe.ts'
import type { AdoptOptions } from './options.ts'
import { PALETTE_PATH } from './pages/markup.ts'
import { keptFiles, planFiles } from './plan-files.ts'
import { joinNotes, type Notes, offPage, type Report } from './report/report.ts'
import type { Selection } from './select-pages.ts'
import { planTranslations, type Translation } from './site/by-language.ts'
import { identify } from './site/identity.ts'
import { type FilePlan, linkPages } from './site/links.ts'
import { type PagePlan, planPages } from './site/page-paths.ts'
import { withColors } from './site/shown-colors.ts'
import { type Entry, type NewText, renditionOf, shownPath as shown } from './sources/source.ts'
import { type AdoptedValues, adoptValues, mayHaveStyles, sheetsOf } from './values.ts'

/** A guide, or its translation: its pages at their places with their texts, and the files of its folder beside them. */
export type ProjectPlan = {
  project: string
  pages: readonly PagePlan[]
  texts: readonly NewText[]
  settings: readonly NewText[]
  files: readonly FilePlan[]
  /** The numbers of its colours and type styles. */
  colors: number
  types: number
}

/** All that is written, and what the report says about it. */
export type GuidePlan = {
  /** The name of the brand. */
  brand: string
  selection: Selection
  /** The guide, then its translations. */
  projects: readonly ProjectPlan[]
  /** The pictures inside pages, such as a Word document's. */
  media: ReadonlySet<Entry>
  /** Files whose content is on a page or in the styles, with the file of the guide that has it. */
  merged: readonly (readonly [Entry, string])[]
  leftOut: Report['leftOut']
  notes: Notes
}

/**
 * Plans a guide of the selected pages, and of the files beside them.
 *
 * Pages are planned first, because colours come in the order in which pages are shown. Then styles are taken, because a
 * file is merged if its styles are. Links come last, because a merged file that a page offers is kept as a download.
 */
export async function planGuide(selection: Selection, options: AdoptOptions): Promise<GuidePlan> {
  const { languages, facts } = selection
  const { plans, listed, notes } = planPages(languages.main)
  const translations = planTranslations(languages.others, plans)
  const values = await takeValues(selection, plans, options)
  const files = await planFiles(selection, [plans, ...translations.map(each => each.plans)].flat(), values)
  const { colors, types } = values.styles
  const shownPages = withColors(plans, values.merged, colors)
  const linked = linkPages(shownPages, [...files.targets, ...palettePlaces(plans, colors)])
  const kept = keptFiles(files, linked.used)
  const identity = identify(plans, selection.documents, facts, { ...options, ...values, languages })
  const described = await describeProject(kept.files, values.styles, {
    ...facts.named,
    ...identity,
    listed,
    faces: values.faces,
    links: values.links,
    pages: plans,
    all: selection.all,
    signal: options.signal,
  })
  const guide = {
    project: options.project,
    pages: plans,
    texts: textsAt(plans, linked.texts),
    settings: described.texts,
    files: kept.files,
    colors: colors.length,
    types: types.length,
  }
  const original = { ...guide, name: identity.name, places: files.targets }
  const translated = translations.map(each => planTranslation(each, original))
  const projects = [guide, ...translated.map(({ plan }) => plan)]
  const offPages = [withoutShown(values.notes, selection), described.notes].map(offPage)
  const onPages = [selection, { notes }, kept, identity, linked, ...shownPages].map(each => each.notes)
  return {
    brand: identity.brand,
    selection,
    projects,
    media: files.media,
    merged: [...kept.merged, ...copiesOf(selection, projects)],
    leftOut: [...selection.leftOut, ...kept.leftOut],
    notes: joinNotes([...offPages, ...onPages, ...translated.flatMap(each => each.notes)]),
  }
}

/** Notes on values without those on data that pages have. */
function withoutShown(notes: Notes, { documents }: Selection): Notes {
  const shownFiles = new Set(documents.map(({ entry }) => entry.madeOf))
  return { ...notes, lost: notes.lost.filter(({ path }) => !shownFiles.has(path)) }
}

/** The pages that others repeat, with the places of those that have their text. */
function copiesOf({ copies }: Selection, projects: readonly Pick<ProjectPlan, 'pages'>[]) {
  const placeOf = new Map(projects.flatMap(({ pages }) => pages).map(({ entry, to }) => [entry, to]))
  return Array.from(copies, ([copy, entry]) => [copy, placeOf.get(entry) ?? ''] as const)
}

/** The styles of files, and of tables on pages in the order of the menu: the first colour may become the accent. */
function takeValues({ entries }: Selection, plans: readonly PagePlan[], options: AdoptOptions): Promise<AdoptedValues> {
  const placeOf = ({ meta }: PagePlan) => meta.order ?? Number.MAX_VALUE
  const shownFirst = plans.toSorted((a, b) => placeOf(a) - placeOf(b))
  const tables = shownFirst.flatMap(({ entry, tables }) => tables.map(table => ({ shownPath: shown(entry), table })))
  return adoptValues(
    [...entries.filter(entry => renditionOf(entry).kind !== 'build' && mayHaveStyles(entry)), ...sheetsOf(plans)],
    tables,
    options,
  )
}

/** The list of colours as the target of these links in each source. */
function palettePlaces(plans: readonly PagePlan[], colors: readonly Color[]): FilePlan[] {
  const entries = new Map(plans.map(({ entry }) => [entry.label, { ...entry, path: PALETTE_PATH }]))
  return colors.length === 0 ? [] : Array.from(entries.values(), entry => ({ entry, to: 'styles/colors.yaml' }))
}

/** A translation, which has the files and styles of its original. */
function planTranslation(
  { lang, plans, notes }: Translation,
  { project, pages, places, name }: Pick<ProjectPlan, 'project' | 'pages'> & { places: FilePlan[]; name: string },
): { plan: ProjectPlan; notes: Notes[] } {
  const linked = linkPages(plans, places, pages)
  const content = stringify({ name, lang, translationOf: project, visibility: 'private' })
  const plan = {
    project: `${project}-${lang.toLowerCase()}`,
    pages: plans,
    texts: textsAt(plans, linked.texts),
    settings: [{ to: 'project.yaml', content }],
    files: [],
    colors: 0,
    types: 0,
  }
  return { plan, notes: [notes, linked.notes] }
}

function textsAt(plans: readonly PagePlan[], texts: readonly string[]): NewText[] {
  return plans.map(({ to }, at) => ({ to, content: texts[at] ?? '' }))
}
