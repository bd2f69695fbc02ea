import type { EntryChange } from '../../../brand/content-diff.ts'
import { diff, type ProjectDiff, type Version } from '../../../publishing/diff.ts'
import { hasFlag, type Run } from '../../command.ts'
import { printJson } from '../../output/json.ts'
import { parseRevision } from '../../project-ref.ts'
import { withProject } from '../../with-project.ts'
import { diffLines } from './diff-lines.ts'

/** `diff <workspace/project> [from] [to]` */
export const run: Run = async (args, io) => {
  const [, from = 'published', to = 'draft'] = args.operands
  const { name, result } = await withProject(args, io, (store, ref) =>
    diff(store, ref, parseVersion(from), parseVersion(to)),
  )
  if (hasFlag(args, 'json')) {
    printJson(io, publicDiff(result))
    return 0
  }
  const lines = diffLines(result, io)
  const [before, after] = [versionName(result.from), versionName(result.to)]
  if (lines.length === 0) io.err(`${name}: ${before} and ${after} are the same\n`)
  else io.out(`${[`${name}: ${before} → ${after}`, ...lines].join('\n')}\n`)
  return 0
}

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
    pages: pages.map(({ id, change, diff }) => ({ id, change, ...(diff !== undefined && { diff }) })),
    colors: colors.map(style),
    types: types.map(style),
    files: files.map(({ id, change }) => ({ path: id, change })),
  }
}

function style({ id, change, fields }: EntryChange) {
  return { id, change, ...(change === 'changed' && { fields }) }
}
