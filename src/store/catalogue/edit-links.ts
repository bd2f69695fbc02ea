import { hash } from 'node:crypto'
import { type EditLinks, isEditTemplate, type SourcePaths } from '#brand/edit-link.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { field, isObject } from '#platform/base/object.ts'
import type { Queries } from '../database/database.ts'
import { defineRows, json, optional, type RecordOf, text } from '../database/table.ts'
import { setColumn } from './catalogue.ts'
import { recordChange } from './changes.ts'

/**
 * Saves where the files of a project are edited, inside a transaction; no template means nowhere. The paths are not part
 * of the content, so published pages use them at once.
 */
export async function saveEditLinks(
  queries: Queries,
  ref: ProjectRef,
  template: string | undefined,
  source: SourcePaths,
): Promise<void> {
  const paths = JSON.stringify(source)
  await setColumn(queries, ref, 'source', paths)
  // A digest before the address, so that it changes with the paths.
  const edit = template === undefined ? null : `${hash('sha256', paths).slice(0, 16)} ${template}`
  if (await setColumn(queries, ref, 'edit', edit)) await recordChange(queries, ref.workspace, ref.project)
}

/** The edit links of a project; undefined if it has none. */
export async function findEditLinks(queries: Queries, ref: ProjectRef): Promise<EditLinks | undefined> {
  const { edit, paths } = await findLinks(queries, ref)
  return edit !== undefined && paths ? { template: edit.slice(edit.indexOf(' ') + 1), ...paths } : undefined
}

/** The paths of the files of a project in the brand folder that was imported last; undefined if they are unknown. */
export async function findSourcePaths(queries: Queries, ref: ProjectRef): Promise<SourcePaths | undefined> {
  return (await findLinks(queries, ref)).paths
}

/** The edit links of projects. */
export const LINKS = defineRows(
  'project',
  {
    workspace: text('workspace'),
    project: text('id'),
    edit: optional(text('edit', 'an address with {path}', isEdit)),
    paths: optional(json<Omit<EditLinks, 'template'>>('source', 'a JSON object with paths', isPaths)),
  },
  'project',
)

/** Whether a stored text is an address with `{path}`, after its digest. */
function isEdit(value: string): boolean {
  return isEditTemplate(value.slice(value.indexOf(' ') + 1))
}

function isPaths(value: unknown): boolean {
  const pages = field(value, 'pages')
  const isText = (path: unknown) => typeof path === 'string'
  return isText(field(value, 'folder')) && isObject(pages) && Object.values(pages).every(isText)
}

async function findLinks(
  queries: Queries,
  { workspace, project }: ProjectRef,
): Promise<Partial<RecordOf<typeof LINKS>>> {
  return (await LINKS.one(queries, 'WHERE workspace = ? AND id = ?', workspace, project)) ?? {}
}
