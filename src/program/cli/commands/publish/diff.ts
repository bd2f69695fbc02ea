import { type Change, type ContentDiff, type EntryChange, type FieldChange, hunkLines } from '#brand/content-diff.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { diff, type ProjectDiff, type Version } from '#publishing/diff.ts'
import type { Io, Run } from '../../command.ts'
import { unwrap } from '../../failure.ts'
import { onProject, parseRevision } from '../../in-store.ts'
import { paint, visible } from '../../output/text.ts'

export const run: Run = (args, io) =>
  onProject(args, io, async ({ store, ref, name }) => {
    const [, from = 'published', to = 'draft'] = args.operands
    const result = unwrap(await diff(store, ref, parseVersion(from), parseVersion(to)))
    const json = publicDiff(result)
    const lines = diffLines(result, io)
    const before = versionName(result.from)
    const after = versionName(result.to)
    if (lines.length === 0) return { json, note: `${name}: ${before} and ${after} are the same\n` }
    return { json, text: `${[`${name}: ${before} → ${after}`, ...lines].join('\n')}\n` }
  })

function parseVersion(text: string): Version {
  return text === 'draft' || text === 'published' ? text : parseRevision(text, 'its number, draft or published')
}

function versionName(version: Version): string {
  return typeof version === 'number' ? `revision ${version}` : version
}

/** The JSON result: the changed fields of styles, the diffs of pages, and the changed files. */
function publicDiff({ access: _access, reordered: _reordered, pages, colors, types, files, ...rest }: ProjectDiff) {
  return {
    ...rest,
    pages: pages.map(({ id, change, diff }) => ({ id, change, ...withoutUndefined({ diff }) })),
    colors: colors.map(style),
    types: types.map(style),
    files: files.map(({ id, change }) => ({ path: id, change })),
  }
}

function style({ id, change, fields }: EntryChange) {
  return { id, change, ...(change === 'changed' && { fields }) }
}

/** The differences for a terminal: of the project, then of its pages, colours, types and files, each below a heading. */
export function diffLines(diff: ProjectDiff, io: Io): string[] {
  const { from: _from, to: _to, access, pages, colors, types, files, reordered, ...settings } = diff
  const projectFields = Object.entries({ ...settings, ...access })
  return [
    ...projectFields.map(([field, change]) => paint(io.hasColor.out, 'yellow', `~ ${field}: ${fromTo(change)}`)),
    ...reordered.map(list => paint(io.hasColor.out, 'yellow', `~ order of the ${list}`)),
    ...pages.flatMap(page => pageLines(page, io)),
    ...colors.flatMap(color => colorLines(color, io)),
    ...types.flatMap(({ id, change, fields }) => [heading(change, `type ${id}`, io), ...fieldLines(change, fields)]),
    ...files.flatMap(file => fileLines(file, io)),
  ]
}

const SIGNS = { added: ['+', 'green'], changed: ['~', 'yellow'], removed: ['-', 'red'] } as const

function heading(change: Change, text: string, io: Io): string {
  const [sign, style] = SIGNS[change]
  return paint(io.hasColor.out, style, `${sign} ${visible(text)}`)
}

function pageLines({ id, change, fields, diff }: ContentDiff['pages'][number], io: Io): string[] {
  const { content: _, links, ...shownFields } = fields
  const isLinked = diff === undefined && links !== undefined
  return [
    heading(change, `page ${id}`, io),
    ...fieldLines(change, shownFields),
    ...(isLinked ? ['    its links have other targets'] : []),
    ...hunkLines(diff ?? '').map(line => `    ${patchLine(line, io)}`),
  ]
}

function patchLine(line: string, io: Io): string {
  const style = PATCH_STYLES[line.charAt(0)]
  return style === undefined ? visible(line) : paint(io.hasColor.out, style, visible(line))
}

const PATCH_STYLES: Readonly<Record<string, 'green' | 'red' | 'cyan'>> = { '+': 'green', '-': 'red', '@': 'cyan' }

/** A new or removed colour is one line, `+ color ink  #1a2b3c`; a changed one has a line for each field. */
function colorLines({ id, change, fields }: EntryChange, io: Io): string[] {
  const { hex } = fields
  const value = (hex && (change === 'removed' ? hex.from : hex.to)) ?? null
  if (change !== 'changed') return [`${heading(change, `color ${id}`, io)}  ${swatch(value, io)}${formatValue(value)}`]
  return [
    heading(change, `color ${id}`, io),
    ...Object.entries(fields).map(([field, { from, to }]) => {
      if (field !== 'hex') return `    ${field}: ${fromTo({ from, to })}`
      return `    hex: ${swatch(from, io)}${formatValue(from)} → ${swatch(to, io)}${formatValue(to)}`
    }),
  ]
}

/** A colour, two cells wide: exact if the terminal supports 24-bit colour, otherwise the nearest of its 256. */
function swatch(hex: unknown, { hasColor, environment }: Io): string {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(String(hex))
  if (!digits || !hasColor.out) return ''
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map(part => Number.parseInt(part, 16))
  const isExact = /^(?:truecolor|24bit)$/.test(environment.COLORTERM ?? '')
  // SGR 48 sets the background: `2;r;g;b`, or `5;n` of the 256 colours, in which the cube of 6 × 6 × 6 begins at 16.
  const color = isExact ? `2;${red};${green};${blue}` : `5;${16 + 36 * level(red) + 6 * level(green) + level(blue)}`
  return `\u001b[48;${color}m  \u001b[49m `
}

/** The index of the nearest level of a channel in the 256-colour cube: 0, 95, 135, 175, 215, 255. They meet at 48, 115, 155, … */
function level(channel: number): number {
  if (channel < 48) return 0
  return channel < 115 ? 1 : Math.floor((channel - 35) / 40)
}

function fileLines({ id, change, fields }: EntryChange, io: Io): string[] {
  const { size, hash, contentType, metadata, ...notes } = fields
  const sizes = size ? [size.from, size.to].filter(bytes => typeof bytes === 'number').map(preciseSize) : []
  const sameSize = hash ? '  other content of the same size' : ''
  const note = sizes.length > 0 ? `  ${sizes.join(' → ')}` : sameSize
  const shownFields = { ...(contentType && { type: contentType }), ...metadataFields(metadata), ...notes }
  return [heading(change, `file ${id}`, io) + note, ...fieldLines(change, shownFields)]
}

function fieldLines(change: Change, fields: Readonly<Record<string, FieldChange>>): string[] {
  if (change !== 'changed') return []
  return Object.entries(fields).map(([field, values]) => `    ${field}: ${fromTo(values)}`)
}

/** The changed fields of the metadata of a file, such as its licence. */
function metadataFields(metadata: FieldChange | undefined): Record<string, FieldChange> {
  if (!metadata) return {}
  const from = entriesOf(metadata.from)
  const to = entriesOf(metadata.to)
  const names = [...new Set([...from.keys(), ...to.keys()])].filter(name => from.get(name) !== to.get(name))
  return Object.fromEntries(names.map(name => [name, { from: from.get(name) ?? null, to: to.get(name) ?? null }]))
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

/** A size with one more digit than elsewhere, because two sizes are compared. */
function preciseSize(bytes: number): string {
  const steps = ['B', 'kB', 'MB', 'GB']
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), steps.length - 1)
  return `${Number((bytes / 1000 ** step).toPrecision(3))} ${steps[step]}`
}

function fromTo({ from, to }: FieldChange): string {
  return `${formatValue(from)} → ${formatValue(to)}`
}

function formatValue(value: unknown): string {
  return value === null ? 'none' : visible(typeof value === 'string' ? value : JSON.stringify(value))
}
