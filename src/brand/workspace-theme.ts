import type { BrandFile } from './file.ts'

/** The fields of a workspace that the pages before its guides show. */
export type WorkspaceProfile = { name: string; contact?: string; theme?: WorkspaceTheme }

/** The theme of the pages before the guides of a workspace, which everyone may see. */
export type WorkspaceTheme = {
  logo?: WorkspaceLogo
  /** `#` and six hex digits. */
  accent?: string
}

/** A picture that browsers show, with its size in pixels. Its path is relative to the folder of workspace.yaml. */
export type WorkspaceLogo = Pick<BrandFile, 'path' | 'size' | 'contentType' | 'hash'> & {
  width: number
  height: number
}
