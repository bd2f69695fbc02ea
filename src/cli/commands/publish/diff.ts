import { withoutUndefined } from '../../../base/object.ts'
import type { EntryChange } from '../../../brand/content-diff.ts'
import { diff, type ProjectDiff, type Version } from '../../../publishing/diff.ts'
import type { Run } from '../../command.ts'
import { unwrap } from '../../failure.ts'
import { onProject } from '../../in-store.ts'
import { parseRevision } from '../../project-ref.ts'
import { diffLines } from './diff-lines.ts'

/** `diff <workspace/project> [from] [to]` */
export const run: Run = (args, io) =>
  onProject(args, io, async ({ store, ref, name }) => {
    const [, from = 'published', to = 'draft'] = args.operands
    const result = unwrap(await diff(store, ref, parseVersion(from), parseVersion(to)))
    const json = publicDiff(result)
    const lines = diffLines(result, io)
    const [before, after] = [versionName(result.from), versionName(result.to)]
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
