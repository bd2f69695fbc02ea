import type { EntryChange } from '../../brand/content-diff.ts'
import { diff, type ProjectDiff, type Version } from '../../publishing/diff.ts'
import { hasFlag, type Run } from '../command.ts'
import { diffLines } from '../output/diff-lines.ts'
import { printJson } from '../output/json.ts'
import { parseRevision } from '../project-ref.ts'
import { withProject } from '../with-project.ts'

/** `diff <w/p> [from] [to]` */
export const run: Run = async (args, io) => {
  const [, from = 'published', to = 'draft'] = args.operands
  const { name, result } = await withProject(args, io, (store, ref) => diff(store, ref, versionOf(from), versionOf(to)))
  if (hasFlag(args, 'json')) {
    printJson(io, jsonOf(result))
    return 0
  }
  const lines = diffLines(result, io)
  const [before, after] = [named(result.from), named(result.to)]
  if (lines.length === 0) io.err(`${name}: ${before} and ${after} are the same\n`)
  else io.out(`${[`${name}: ${before} → ${after}`, ...lines].join('\n')}\n`)
  return 0
}

function versionOf(text: string): Version {
  return text === 'draft' || text === 'published' ? text : parseRevision(text, 'its number, draft or published')
}

function named(version: Version): string {
  return typeof version === 'number' ? `revision ${version}` : version
}

/** What scripts rely on: fields of the styles that have changed, and no more than that of pages and files. */
function jsonOf({ from, to, name, lang, pages, colors, types, files }: ProjectDiff) {
  return {
    ...{ from, to, ...(name && { name }), ...(lang && { lang }) },
    pages: pages.map(({ id, change, diff }) => ({ id, change, ...(diff !== undefined && { diff }) })),
    colors: colors.map(style),
    types: types.map(style),
    files: files.map(({ id, change }) => ({ path: id, change })),
  }
}

function style({ id, change, fields }: EntryChange) {
  return { id, change, ...(change === 'changed' && { fields }) }
}
