import { withoutUndefined } from '../../base/object.ts'
import { ok, type Result } from '../../base/result.ts'
import { colorSearchText, PRINT_NOTE, TYPE_NOTE, typeSearchText } from './item-text.ts'
import { matching } from './matching.ts'
import { openProject, type Reader } from './reader.ts'
import { fittingEntries } from './reply-size.ts'
import type { Arguments } from './tool.ts'

/** The colours and type styles of a project with all authored values. */
export async function getStyles(reader: Reader, { project, kind, query }: Arguments): Promise<Result<object, string>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const { record, content } = opened.value
  const colors = kind === 'types' ? [] : await content.colors()
  const types = kind === 'colors' ? [] : await content.types()
  const wantedColors = await matching(colors, query, color => colorSearchText(color, colors))
  const wantedTypes = await matching(types, query, typeSearchText)
  const url = (list: 'colors' | 'types', id: (typeof colors)[number]['id']) =>
    reader.addresses.style(record, { list, id })
  const listed = fittingEntries([
    ...wantedColors.map(color => ({ color: { ...color, url: url('colors', color.id) } })),
    ...wantedTypes.map(type => ({ type: { ...type, url: url('types', type.id) } })),
  ])
  const listedColors = listed.flatMap(each => ('color' in each ? [each.color] : []))
  const listedTypes = listed.flatMap(each => ('type' in each ? [each.type] : []))
  const total = wantedColors.length + wantedTypes.length
  const notes = [listedColors.length > 0 && PRINT_NOTE, listedTypes.length > 0 && TYPE_NOTE].filter(Boolean)
  const all = colors.length + types.length
  const hint =
    listed.length < total
      ? `Only ${listed.length} of ${total} are listed. Name a kind or a query.`
      : total === 0 && all > 0
        ? `Nothing matches the query. Without it, ${all} are listed.`
        : undefined
  return ok({
    workspace: record.workspace,
    project: record.project,
    total,
    ...(kind !== 'types' && { colors: listedColors }),
    ...(kind !== 'colors' && { types: listedTypes }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    ...withoutUndefined({ hint }),
  })
}
