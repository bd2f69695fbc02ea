import type { Theme } from './appearance.ts'
import type { BrandFile } from './file.ts'

/** The fields of a workspace that the pages before its guides show. */
export type WorkspaceProfile = { name: string; contact?: string; theme?: WorkspaceTheme }

/** The theme of the pages before the guides of a workspace, which everyone may see. */
export type WorkspaceTheme = {
  logo?: WorkspaceLogo
  /** `#` and six hex digits, like the ground of pages. */
  accent?: string
  ground?: string
  corners?: NonNullable<Theme['corners']>
  /** The cuts of one family. */
  fonts?: readonly WorkspaceFont[]
}

type WorkspaceFile = Pick<BrandFile, 'path' | 'size' | 'contentType' | 'hash'>

/** A font with the weights and the style that it is for. */
export type WorkspaceFont = WorkspaceFile & { weights: readonly [from: number, to: number]; style: string }

/** A picture that browsers show, with its size in pixels. Its path is relative to the folder of workspace.yaml. */
export type WorkspaceLogo = WorkspaceFile & {
  width: number
  height: number
}
