import { randomUUID } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'
import { openMediaReader } from '#intake/media/media.ts'
import type { EditedFiles, Editor } from '#people/editor/edit/context.ts'
import type { ManageContext } from '#people/manage/context.ts'
import { commitAddress, sealAddress } from '#publishing/authors.ts'
import { listFeeders, sourceId } from '#publishing/feeders.ts'
import type { EditedSource } from '#publishing/git/edit/edits.ts'
import { readSource } from '#publishing/git/pull/source-state.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { findSourcePaths } from '#store/catalogue/edit-links.ts'
import { openRoom } from '../http/room.ts'
import { mergerOf } from './git.ts'
import type { ServiceSource } from './shared.ts'

/** What people may edit: the folder of `dev`, or the followed branches; undefined without `--edit`. */
export function openEdit(source: ServiceSource, manage: ManageContext): Editor | undefined {
  const { folder, git, store, texts } = source
  if (folder === undefined && !git?.edits) return undefined
  return {
    manage,
    isForAll: folder !== undefined,
    filesOf: async ref => {
      const paths = await findSourcePaths(store.database, ref)
      return paths && filesAt(source, () => sourceOfProject(source, ref), paths)
    },
    filesIn: (ref, at) => filesAt(source, () => sourceOfProject(source, ref), { folder: at, pages: {} }),
    authorOf: person => authorOf(source, person),
    newId: randomUUID,
    media: openMediaReader({ processes: 1 }),
    room: openRoom(MAX_FORMS_BYTES),
    texts,
  }
}

/** The author of a person's commits. Unless the address is shown, it has one of this service, which does not reveal the real one. */
function authorOf(
  { settings, store, publicUrl }: ServiceSource,
  { name, email, subject }: Person,
): ReturnType<Editor['authorOf']> {
  const isAddressShown = settings.editAuthor === 'address' && email !== undefined
  const authorName = plainName(name ?? (isAddressShown ? email : ''))
  const pseudonym = commitAddress(subject, new URL(publicUrl).hostname)
  if (isAddressShown) return { name: authorName, email, savedBy: pseudonym }
  const sealed = email && sealAddress(store.identity.shareSecret, email)
  return { name: authorName, email: pseudonym, savedBy: sealed }
}

/** A name as a commit can have it: it names its author as `name <address>` on one line. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}<>]+/gu, ' ').trim()
  return /[\p{L}\p{N}]/u.test(plain) ? plain : 'Somebody'
}

/** The size of all forms and files at the same time; that of a person is a quarter, as for one file of the largest size. */
const MAX_FORMS_BYTES = 256 << 20

/** The files of a project, or of another folder of its brand folder, in the repository or in the folder of `dev`. */
async function filesAt(
  source: ServiceSource,
  findBranch: () => Promise<EditedSource | undefined>,
  paths: EditedFiles['paths'],
) {
  const { folder, git, store, texts } = source
  const openFolder = async (path: string) => (await folderCode()).openFolder(path, mergerOf(texts))
  const edited = await (folder === undefined ? findBranch() : openFolder(folder))
  if (!edited) return undefined
  const { source: followed, undo } = edited
  // The editor's paths begin in the project's folder, and a branch's in the repository: `brand/guidelines/` is between.
  const start = [followed?.path, paths.folder].map(each => (each ? `${each}/` : '')).join('')
  return {
    source: followed && sourceId(followed),
    paths,
    read: path => edited.read(start + path),
    save: edit => {
      const changes = edit.changes.map(change => ({ ...change, path: start + change.path }))
      return edited.save({ ...edit, changes, settings: start + edit.settings })
    },
    undo:
      undo &&
      (edit => {
        const isOwn = (path: string) => path.startsWith(start) && edit.isOwn(path.slice(start.length))
        return undo({ ...edit, isOwn, settings: start + edit.settings })
      }),
    history: edited.history && ((path, wanted) => edited.history(start + path, wanted)),
    state: followed && (async () => (await readSource(store.database, followed)).state),
    importSoon: git?.follower.request,
  } satisfies EditedFiles
}

/** Loaded on first use, because it compares texts. */
const folderCode = () => import('#publishing/edit-folder.ts')

/**
 * The followed branch that fills a project. Undefined for one that it has no more: its folder may belong to another project
 * now.
 */
async function sourceOfProject({ git, store }: ServiceSource, { workspace, project }: ProjectRef) {
  const name = `${workspace}/${project}`
  const feeders = await listFeeders(store.database)
  const feeder = feeders.find(({ filled, gone }) => filled.includes(name) && !gone.includes(name))
  return git?.edits?.find(({ source }) => sourceId(source) === feeder?.id)
}

/** The followed branch from which a workspace comes. */
async function sourceOf({ git, store }: ServiceSource, workspace: string): Promise<EditedSource | undefined> {
  const edits = git?.edits ?? []
  // Both have the order of the settings.
  const states = git?.follower.states() ?? []
  const followed = edits.find((_, at) => states[at]?.workspace === workspace)
  if (followed) return followed
  // Another process may have imported it in the last seconds.
  for (const edited of edits)
    if ((await readSource(store.database, edited.source)).state.workspace === workspace) return edited
  return undefined
}

/** Whether the pages of a workspace lead to the editor; undefined if none do. */
export function editedWorkspaces(source: ServiceSource): ((workspace: string) => Promise<boolean>) | undefined {
  const { folder, git } = source
  if (folder === undefined && !git?.edits) return undefined
  return async workspace => folder !== undefined || (await sourceOf(source, workspace)) !== undefined
}
