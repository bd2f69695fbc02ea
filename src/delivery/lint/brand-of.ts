import { PRINT_KEYS } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { isFont } from '#brand/file.ts'
import { LINT_RULES, type LintSettings } from '#brand/lint-rules.ts'
import type { Page } from '#brand/page.ts'
import { groupColors } from '#brand/styles/color-groups.ts'
import { pick } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { LintBrand } from './lint-brand.ts'

/** The values of a published brand that files are compared with. */
export async function brandOf({ content }: Pick<Publication, 'content'>): Promise<LintBrand> {
  const colors = await content.colors()
  const types = await content.types()
  const files = await content.files()
  const pages = [...(await content.pages()).values()]
  const { words = [], lint = {}, office } = await content.appearance()
  const { fonts: allowedFonts = [], technicalInks = [], neutrals = 'usual', rules } = lint
  // The id of the group of each colour.
  const groups = new Map(groupColors(colors).flatMap(group => group.colors.map(({ id }) => [id.toString(), group.id])))
  const fontFamilies = Array.from(files.values().filter(isFont), ({ metadata }) => metadata?.family)
  const families = [...types.flatMap(familiesOf), ...fontFamilies, office?.major, office?.minor]
  return {
    colors: colors.map(color => ({
      ...pick(color, ['id', 'hex', 'dark', 'on', ...PRINT_KEYS]),
      guide: guideOf(pages, 'colors', color.id, groups.get(color.id)),
    })),
    types: types.map(type => ({
      ...pick(type, ['id', 'size', 'leading', 'weight', 'responsive']),
      families: familiesOf(type),
      guide: guideOf(pages, 'types', type.id),
    })),
    families: [...new Set(families.filter(family => family !== undefined))],
    allowedFonts: [...allowedFonts, ...files.values().flatMap(({ names = [] }) => names)],
    technicalInks,
    words,
    language: (await content.lang()) ?? 'en',
    neutrals,
    levels: levelsOf(rules),
  }
}

/** A brand without values, with which nothing is compared. */
export const NO_BRAND: LintBrand = {
  colors: [],
  types: [],
  families: [],
  allowedFonts: [],
  technicalInks: [],
  words: [],
  language: 'en',
  neutrals: 'usual',
  levels: levelsOf(undefined),
}

function familiesOf({ family, fallback = [] }: { family?: string; fallback?: readonly string[] }): string[] {
  return family === undefined ? [...fallback] : [family, ...fallback]
}

/** The first page that links to a style; else the first one that links to its group, or to the whole list. */
function guideOf(pages: readonly Page[], list: 'colors' | 'types', id: string, group?: string): string | undefined {
  const pageWith = (isShown: (to: { id?: string; group?: string }) => boolean) =>
    pages.find(({ links }) => links.some(({ to }) => to.list === list && isShown(to)))?.id
  return (
    pageWith(to => to.id === id) ??
    (group === undefined ? undefined : pageWith(to => to.group === group)) ??
    pageWith(to => to.id === undefined && to.group === undefined)
  )
}

function levelsOf(rules: LintSettings['rules']): LintBrand['levels']
function levelsOf(rules: LintSettings['rules'] = {}): object {
  return Object.fromEntries(keysOf(LINT_RULES).map(id => [id, rules[id] ?? LINT_RULES[id].severity]))
}
