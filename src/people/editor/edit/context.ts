import type { SourcePaths } from '#brand/edit-link.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { MediaReader } from '#intake/media/media.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { FileHistory } from '#publishing/git/edit/history.ts'
import type { Changes, Edit, Saved } from '#publishing/git/edit/save.ts'
import type { Undo } from '#publishing/git/edit/undo.ts'
import type { GitResult } from '#publishing/git/program/git-problem.ts'
import type { SourceState } from '#publishing/git/pull/source-state.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import type { Guide } from '#site/guide/guide.ts'
import type { Words } from '#site/words/words.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { ManageContext } from '../../manage/context.ts'
import type { EditTask, EditTasks } from './edit-process.ts'
import type { TextEditor } from './text-editor.ts'

/** The largest form with a file: of 50 MiB, as hosts accept it, and its other fields. */
export const MAX_UPLOAD_BYTES = (50 << 20) + (64 << 10)

/** Everything with which people who may edit change the files of guides in the browser. */
export type Editor = {
  manage: ManageContext
  /** The files of a project that the service may change; undefined: none. */
  filesOf: (ref: ProjectRef) => Promise<EditedFiles | undefined>
  /** The files in another folder of the brand folder of a project; undefined if the service may not change them. */
  filesIn: (ref: ProjectRef, folder: string) => Promise<EditedFiles | undefined>
  /** Whether everybody may edit, as in `dev`. */
  isForAll: boolean
  /** The author of the commits of a person. */
  authorOf: (person: Person) => Edit['author']
  newId: () => string
  /** Reads pictures that people send, in a confined process. */
  media: Pick<MediaReader, 'inspect' | 'close'>
  /** The room for all forms and files that are sent at the same time, of which each person has a share. */
  room: { shareOf: (person: string) => Disposable & { counted: (body: Upload) => Upload } }
  /** Opens, changes and merges texts in other processes. */
  texts: TextEditor
}

type Upload = AsyncIterable<Uint8Array>

/** The files of a project: those of the branch that the service follows, or those of a folder. Paths begin in the project. */
export type EditedFiles = {
  /** Identifies the followed branch; absent for a folder. */
  source: string | undefined
  paths: SourcePaths
  /** Undefined for a path at which there is no file. */
  read: (path: string) => Promise<GitResult<Uint8Array | undefined>>
  save: (changes: Changes) => Promise<GitResult<Saved>>
  /** Undoes a commit whose files have not changed since; absent for a folder. */
  undo?: ((undo: Undo) => Promise<GitResult<Saved>>) | undefined
  /** The commits that changed a file, and the file as some of them left it; absent for a folder. */
  history?: ((path: string, wanted: readonly string[]) => Promise<GitResult<FileHistory>>) | undefined
  /** The state of the followed repository; absent for a folder. */
  state?: (() => Promise<SourceState | undefined>) | undefined
  /** Asks for an import soon; absent for a folder, which is watched. */
  importSoon?: (() => Promise<void>) | undefined
}

/** A task for the person, in a process that may take some seconds. */
export function runTask<Name extends keyof EditTasks>(
  { context, person }: Pick<Visit, 'context' | 'person'>,
  name: Name,
  input: EditTask<Name>['input'],
): ReturnType<typeof context.texts.run<Name>> {
  return context.texts.run(name, input, person?.id)
}

/** A request for files that may be edited now, by a person, or in `dev` by everybody. */
export type Visit = {
  context: Editor
  request: Request
  person: Person | undefined
  record: ProjectRecord
  files: EditedFiles
  guide: Guide
  words: Words
}
