import { randomUUID } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'
import type { EditedFiles, Editor, ProjectEdit } from '#people/editor/edit/context.ts'
import type { ManageContext } from '#people/manage/context.ts'
import { ok } from '#platform/base/result.ts'
import type { EditedSource } from '#publishing/git/edit/edits.ts'
import type { GitResult } from '#publishing/git/program/git-problem.ts'
import { readSource } from '#publishing/git/pull/source-state.ts'
import { findSourcePaths } from '#store/catalogue/edit-links.ts'
import { openBodyMemory } from '../http/body-memory.ts'
import type { ServiceSource } from './shared.ts'

/** What people may edit: the folder of `dev`, or the followed branches; undefined without `--edit`. */
export function openEdit(source: ServiceSource, manage: ManageContext): Editor | undefined {
  const { folder, git, settings, store } = source
  if (folder === undefined && !git?.edits) return undefined
  const host = new URL(source.publicUrl).hostname
  return {
    manage,
    isForAll: folder !== undefined,
    filesOf: async ref => {
      const paths = await findSourcePaths(store.database, ref)
      return paths && filesAt(source, ref, paths)
    },
    filesIn: (workspace, at) => filesAt(source, { workspace }, { folder: at, pages: {} }),
    authorOf: ({ name, email, subject }) => {
      const isShown = settings.editAuthor === 'address' && email !== undefined
      const plain = `${name ?? (isShown ? email : '')}`.replaceAll(/[\p{Cc}<>]+/gu, ' ').trim()
      return {
        name: /[\p{L}\p{N}]/u.test(plain) ? plain : 'Somebody',
        email: isShown ? email : `${subject.slice(0, ID)}@users.${host}`,
      }
    },
    newId: randomUUID,
    uploads: openBodyMemory({ maxBytes: MAX_UPLOADS_BYTES }),
  }
}

/** The size of all uploads at the same time in the folder for temporary files: five files of the largest size. */
const MAX_UPLOADS_BYTES = 256 << 20

async function filesAt(
  source: ServiceSource,
  place: Pick<ProjectRef, 'workspace'>,
  paths: EditedFiles['paths'],
): Promise<EditedFiles | undefined> {
  if (source.folder !== undefined) return filesInFolder(source.folder, paths)
  const edited = await sourceOf(source, place)
  return edited && filesOfSource(source, edited, paths)
}

/** Enough of the hash of a person to tell all people of a service apart. */
const ID = 16

/** The followed branch from which a workspace comes. */
async function sourceOf(
  { git, store }: ServiceSource,
  { workspace }: Pick<ProjectRef, 'workspace'>,
): Promise<EditedSource | undefined> {
  const [edits, states] = [git?.edits ?? [], git?.follower.states() ?? []]
  const known = edits.find((_, at) => states[at]?.workspace === workspace)
  if (known) return known
  // Another process may have imported it in the last seconds.
  for (const edited of edits)
    if ((await readSource(store.database, edited.source)).state.workspace === workspace) return edited
  return undefined
}

/** Whether the pages of a workspace lead to the editor; undefined if none do. */
export function editedWorkspaces(source: ServiceSource): ((workspace: string) => Promise<boolean>) | undefined {
  if (source.folder !== undefined) return async () => true
  if (!source.git?.edits) return undefined
  return async workspace => (await sourceOf(source, { workspace })) !== undefined
}

/** Loaded on first use, because it compares texts. */
const folderCode = () => import('#publishing/edit-folder.ts')

function filesInFolder(root: string, paths: EditedFiles['paths']): EditedFiles {
  const place = placeIn(paths.folder)
  return {
    paths,
    read: async path => (await folderCode()).readFolderFile(root, place(path)),
    save: async ({ changes }) => (await folderCode()).saveInFolder(root, placed(changes, place)),
  }
}

function filesOfSource({ git, store }: ServiceSource, edited: EditedSource, paths: EditedFiles['paths']): EditedFiles {
  const place = placeIn(edited.source.path, paths.folder)
  return {
    paths,
    read: async (path): Promise<GitResult<Uint8Array | undefined>> => {
      const file = await edited.read(place(path))
      return file.ok ? ok(file.value?.bytes) : file
    },
    save: edit => edited.save({ ...edit, changes: placed(edit.changes, place) }),
    undo: edit => edited.undo({ ...edit, isOwn: path => path.startsWith(place('')) }),
    state: async () => (await readSource(store.database, edited.source)).state,
    importSoon: git?.follower.request,
  }
}

function placeIn(...folders: readonly (string | undefined)[]): (path: string) => string {
  const start = folders.map(folder => (folder ? `${folder}/` : '')).join('')
  return path => start + path
}

function placed(changes: ProjectEdit['changes'], place: (path: string) => string) {
  return changes.map(change => ({ ...change, path: place(change.path) }))
}
