import { stringify } from 'yaml'
import { filename, isLightName } from '#brand/file.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import { contrastOf, MIN_CONTRAST } from '#brand/styles/contrast.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { type Notes, noNotes } from './report/report.ts'
import type { FilePlan } from './site/links.ts'
import type { SiteFacts } from './sources/facts.ts'
import { shownPath } from './sources/source.ts'

type Swatch = { id: string; hex: string }
type FileNotes = { title?: string; ground?: string; variantOf?: string }

/** The texts of `project.yaml` and `files/files.yaml` (undefined if it would be empty), with what was decided for them. */
export async function describeProject(
  facts: Pick<SiteFacts, 'name' | 'contact' | 'logo'>,
  files: readonly FilePlan[],
  { colors, listed = [] }: { colors: readonly Swatch[]; listed?: readonly string[] },
): Promise<{ projectYaml: string; filesYaml: string | undefined; notes: Notes }> {
  const notes = noNotes()
  const plan = files.find(({ entry }) => entry.path === facts.logo)
  const isHidden = plan !== undefined && (await isLightArtwork(plan))
  const logo = isHidden ? undefined : plan?.to
  if (isHidden)
    notes.lost.push({ path: shownPath(plan.entry), line: 1, what: 'white logo for a coloured header', text: plan.to })
  const projectYaml = yamlOf(
    withoutUndefined({
      name: facts.name,
      visibility: 'private',
      pages: listed.length > 0 ? listed : undefined,
      contact: facts.contact,
      theme: logo === undefined ? undefined : { logo },
    }),
  )
  const described = await fileNotes(files, darkest(colors), notes)
  return { projectYaml, filesYaml: described.size > 0 ? yamlOf(Object.fromEntries(described)) : undefined, notes }
}

function yamlOf(value: object): string {
  return stringify(value, { lineWidth: 0 })
}

/** The darkest colour on which white is readable. */
function darkest(colors: readonly Swatch[]): string | undefined {
  const dark = colors.filter(({ hex }) => contrastOf(hex, '#ffffff').ratio >= MIN_CONTRAST)
  return dark.toSorted((a, b) => contrastOf(b.hex, '#ffffff').ratio - contrastOf(a.hex, '#ffffff').ratio)[0]?.id
}

/** A title for each item, a ground for white artwork, and the original of each picture in another size. */
async function fileNotes(files: readonly FilePlan[], ground: string | undefined, { guessed, lost }: Notes) {
  const described = new Map<string, FileNotes>()
  const originals = originalsOf(files)
  const light = new Set<string>()
  for (const file of files) if (await isLightArtwork(file)) light.add(pathWithoutFormat(file.to))
  const [titled, sizes] = [new Set<string>(), new Set(originals.values())]
  for (const { entry, to } of files) {
    if (to.includes('*')) continue // It would be a pattern.
    const path = entry.label + entry.path
    const item = pathWithoutFormat(to)
    const variantOf = originals.get(item)
    const title =
      titled.has(item) || !TITLED.test(to) || variantOf
        ? undefined
        : titleOf(filename(sizes.has(to) ? item.replace(PIXELS, '') : item))
    titled.add(item)
    const isWhite = !variantOf && PICTURE.test(to) && light.has(item)
    if (isWhite && ground === undefined)
      lost.push({ path, line: 1, what: 'white artwork without a ground', text: 'the guide has no dark colour' })
    const found = withoutUndefined({ title, ground: isWhite ? ground : undefined, variantOf })
    for (const [key, value] of Object.entries(found)) guessed.push({ path, key, value, why: WHY[key] ?? '' })
    if (Object.keys(found).length > 0) described.set(keyOf(to), found)
  }
  return described
}

const WHY: Readonly<Record<string, string>> = {
  title: 'from the name of the file',
  ground: 'white artwork on the darkest colour',
  variantOf: 'the same in another size or format, by its name',
}

/**
 * The original of each item that is another size of it, as `logo-512.png`, or has its name in another spelling: one
 * without a size, else the largest.
 */
function originalsOf(files: readonly FilePlan[]): ReadonlyMap<string, string> {
  const originals = new Map<string, string>()
  const pictures = files.map(({ to }) => ({ to, item: pathWithoutFormat(to) })).filter(({ to }) => SIZABLE.test(to))
  const plain = (item: string) => item.replace(/[\s_.-]+/g, '-').toLowerCase()
  for (const [stem, group] of Map.groupBy(pictures, ({ item }) => plain(item).replace(SIZED, ''))) {
    const size = ({ item }: { item: string }) => Number(/(\d+)\D*$/.exec(item)?.[1])
    const sized = group.filter(({ item }) => PIXELS.test(item)).sort((a, b) => size(b) - size(a))
    const plainest = group.find(({ item }) => plain(item) === stem)
    const original = plainest ?? sized[0]
    for (const { item } of plainest ? group : sized)
      if (original && item !== original.item) originals.set(item, original.to)
  }
  return originals
}

const SIZED = /[-_](?:\d{2,4}(?:x\d{2,4})?(?:px|dpi|ppi)?|small|medium|large)$/i
/** Sizes that are no year or number. */
const PIXELS = /[-_](?:\d{2,4}x\d{2,4}|\d{2,4}(?:px|dpi|ppi)|16|32|48|64|128|256|512|1024)$/i
const SIZABLE = /\.(?:svg|png|jpe?g|webp|gif|avif|tiff?)$/i
const PICTURE = /\.(?:svg|png|webp|gif|avif|eps|ai|pdf)$/i
const TITLED = /\.(?:svgz?|png|jpe?g|webp|gif|avif|tiff?|eps|ai|psd|pdf|mp4|mov|webm|zip|pptx?|potx|docx?|dotx|xlsx?)$/i

/** The key of a file in files.yaml: its path under `files/`, or with `files/` if it would be another key there. */
function keyOf(to: string): string {
  const path = to.replace(/^files\//, '')
  return path === 'folders' || /^(?:files|pages)\//.test(path) ? to : path
}

/** A name without format: `acme_logo-white` becomes `Acme logo white`; undefined for a name without words. */
function titleOf(name: string): string | undefined {
  const words = name.replace(/[-_.+\s]+/g, ' ').trim()
  if (!/\p{L}{2}/u.test(words) || /^[\da-f]{8,}$/i.test(words.replaceAll(' ', ''))) return undefined
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, MAX_TITLE)
}

const MAX_TITLE = 200

/** Whether a picture can only be seen on a dark ground, by its name or by the colours of a small SVG. */
async function isLightArtwork({ entry, to }: FilePlan): Promise<boolean> {
  if (isLightName(filename(to))) return true
  if (!/\.svg$/i.test(to) || entry.size > MAX_DRAWING) return false
  const text = (await entry.read(MAX_DRAWING)).toString('latin1')
  const colors = Array.from(text.matchAll(/(?:fill|stroke|stop-color)\s*[:=]\s*["']?([^"';}>]+)/g), ([, color = '']) =>
    color
      .trim()
      .toLowerCase()
      .replace(/^(?:#fff|white|rgb\(255[,\s]+255[,\s]+255\))$/, '#ffffff'),
  ).filter(color => color !== 'none' && color !== 'transparent')
  const isLight = (hex: string) => /^#[\da-f]{6}$/.test(hex) && contrastOf(hex, '#ffffff').ratio < MIN_SEEN
  return colors.includes('#ffffff') && !/<(?:image|text)[\s>]/.test(text) && colors.every(isLight)
}

const MAX_DRAWING = 64 << 10
/** The contrast of graphics (WCAG 2.2, 1.4.11). */
const MIN_SEEN = 3
