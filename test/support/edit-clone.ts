import type { EditClone } from '#publishing/git/edit/clone.ts'
import type { EditedSource } from '#publishing/git/edit/edits.ts'
import { type FileChange, mergeTexts } from '#publishing/git/edit/merge-files.ts'
import { temporaryFolder } from './temporary.ts'

/** Runs git of this machine, without a token. */
export const GIT_HOST: EditClone['host'] = {
  environment: { PATH: process.env.PATH ?? '' },
  kill: (id, name) => void process.kill(id, name),
}

/** The clone of a repository in which a service saves, without a check of what is saved. */
export async function editClone(url: string, more: Partial<EditClone> = {}): Promise<EditClone> {
  return {
    source: { url, publish: 'auto' },
    home: await temporaryFolder(),
    host: GIT_HOST,
    pusher: { ...GIT_HOST, isForPush: true },
    followed: async () => undefined,
    committer: { name: 'housestyle', email: 'housestyle@acme.example' },
    maxGit: 1 << 30,
    signal: new AbortController().signal,
    now: () => new Date(),
    merge: async texts => mergeTexts(texts),
    ...more,
  }
}

/** Texts of files, each before and after a save. */
export type ChangedTexts = Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>>
export type Edit = Parameters<EditedSource['save']>[0]

/** The save of changed texts, by Mia. */
export function editOf(texts: ChangedTexts, more: Partial<Edit> = {}): Edit {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text))
  const changes = Object.entries(texts).map(
    ([path, [before, after]]): FileChange => ({ path, before: bytes(before), after: bytes(after) }),
  )
  return {
    changes,
    author: { name: 'Mia', email: 'mia@users.acme.example' },
    settings: 'guide/project.yaml',
    subject: 'Voice: correct a word',
    saveId: 'save-1',
    ...more,
  }
}
