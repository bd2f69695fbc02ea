import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { attempt } from '#platform/base/result.ts'
import type { AccessEvent, Audit } from '#platform/telemetry/access-event.ts'

/** A save, and the line about its commit, which is recorded once it is pushed. */
export type AuditedSave = {
  /** Makes a repeated save the same commit. */
  saveId: string
  audit?: { line: AccessEvent; record: Audit } | undefined
}

/** Keeps the audit lines of saves while their push is under way, in a folder that outlives the process. */
export type Journal = ReturnType<typeof openJournal>

/** Opens the lines in a folder, also those of earlier processes, which may have ended between a push and its line. */
export function openJournal(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const placeOf = (saveId: string) => join(folder, `${saveId}.json`)
  /** The ids of the saves of earlier processes. */
  let leftSaveIds = readdirSync(folder).map(name => basename(name, '.json'))
  const end = (saveId: string) => rmSync(placeOf(saveId), { force: true })
  return {
    /** Keeps the line of a save, before its push. */
    begin: async ({ saveId, audit }: AuditedSave) => {
      if (!audit) return
      await using file = await open(placeOf(saveId), 'w', 0o600)
      await file.writeFile(JSON.stringify(audit.line))
      await file.sync()
    },
    /** Forgets the line of a save, once it is recorded or the push has failed. */
    end,
    /** Records the saves of earlier processes that are on the branch. */
    recover: async (record: Audit, readSaves: () => Promise<readonly { saveId: string; hash: string }[]>) => {
      const saves = leftSaveIds.length > 0 ? await readSaves() : []
      for (const saveId of leftSaveIds) {
        const commit = saves.find(save => save.saveId === saveId)?.hash
        const line: AccessEvent | undefined = attempt(() => JSON.parse(readFileSync(placeOf(saveId), 'utf8')))
        if (commit && line) record({ ...line, commit })
        end(saveId)
      }
      leftSaveIds = []
    },
  }
}
