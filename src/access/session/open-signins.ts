import { listSignins, type SigninRecord } from '../../store/access/signins.ts'
import type { Database } from '../../store/database/database.ts'

/** The issuers' settings of all workspaces, in memory, so that a reply takes as long with them as without. */
export type Signins = {
  /** The settings of a workspace, oldest first. */
  of: (workspace: string) => readonly SigninRecord[]
  /** Whether any workspace has an issuer. */
  hasAny: () => boolean
  /** Reads the settings again after a change. */
  refresh: () => Promise<void>
}

export async function openSignins(database: Database): Promise<Signins> {
  const read = async () => Map.groupBy(await listSignins(database), ({ workspace }) => workspace)
  let byWorkspace = await read()
  return {
    of: workspace => byWorkspace.get(workspace) ?? [],
    hasAny: () => byWorkspace.size > 0,
    refresh: async () => {
      byWorkspace = await read()
    },
  }
}

/** Whether a page of this workspace offers to sign in. A proxy signs people in before they see a page. */
export function offersSignin(signins: Pick<Signins, 'of'>, workspace: string): boolean {
  return signins.of(workspace).some(({ settings }) => 'clientId' in settings.way)
}
