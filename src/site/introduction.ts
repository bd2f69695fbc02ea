import { hash } from 'node:crypto'
import type { Ids } from '#brand/contract/route.ts'
import { filename } from '#brand/file.ts'
import { isStoredWorkspaceId } from '#brand/ids.ts'
import type { WorkspaceLogo, WorkspaceProfile, WorkspaceTheme } from '#brand/workspace-theme.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import { encodeSegment } from '#serving/addresses.ts'
import { isOpen } from '#serving/pointers/workspace-state.ts'
import { type Html, html } from './html.ts'
import { logoPicture } from './layout/theme-logo.ts'
import { accentSheet } from './library/theme-sheet.ts'
import type { Site } from './site.ts'
import { textFile } from './texts/agent-texts.ts'

/** The parts of a workspace that everyone may see before its guides. */
export type Introduction = WorkspaceProfile & { workspace: string } & Pick<Site, 'at'>

/**
 * The introduction of a workspace that has a theme or a contact, or offers to sign in. Undefined for any other, as for
 * an unknown one, without asking the store. It depends on nothing else, so that it does not reveal which projects exist.
 */
export async function introductionOf({ service, at }: Site, workspace: string): Promise<Introduction | undefined> {
  const { signins, pointers, profileOf } = service
  if (!pointers.isThemed(workspace) && !offersSignin(signins, workspace)) return undefined
  const profile = await profileOf(workspace)
  return profile && { ...profile, workspace, at }
}

/**
 * The address for signing in from a page of no workspace; undefined if no workspace offers it. It names the only
 * workspace that does if that has public guides. Otherwise people enter theirs, so that no private one is revealed.
 */
export async function signInAddress({ service, at }: Site, returnPath: string): Promise<string | undefined> {
  const { signins, pointers } = service
  const ids = new Set(signins.all().map(({ workspace }) => workspace))
  const [workspace, otherWorkspace] = [...ids].filter(id => offersSignin(signins, id))
  if (workspace === undefined) return undefined
  const isListed = otherWorkspace === undefined && (await pointers.openWorkspace(workspace))?.sound.some(isOpen)
  return at(`/-/signin?${new URLSearchParams({ ...(isListed && { workspace }), return: at(returnPath) })}`)
}

/** The style sheet and the first font of a workspace's theme, after all other sheets; undefined without a theme. */
export function introductionLinks({ at, workspace, theme }: Introduction): Html | undefined {
  if (!theme) return undefined
  const [font] = theme.fonts ?? []
  const preload =
    font && html`<link rel="preload" as="font" crossorigin href="${fileAddress({ at, workspace }, 'font', font)}">\n`
  return html`${preload}<link rel="stylesheet" href="${at(`/${workspace}/-/theme/${themeKey(theme)}.css`)}">\n`
}

/** The part of a sheet's address that changes with its theme. */
function themeKey(theme: WorkspaceTheme): string {
  return hash('sha256', JSON.stringify([SHEET_FORM, theme])).slice(0, 16)
}

/** Increase this if the same theme would give another sheet. */
const SHEET_FORM = 2

type ThemeFile = Pick<WorkspaceLogo, 'path' | 'hash'>

/** The address of the logo or a font of a workspace, below the address of the workspace itself. */
export function fileAddress(
  { at, workspace }: Pick<Introduction, 'at' | 'workspace'>,
  kind: 'logo' | 'font',
  file: ThemeFile,
): string {
  return at(`/${workspace}/-/${kind}/${fileKey(file)}/${encodeSegment(filename(file.path))}`)
}

/** The logo of a workspace, which is for light pages, or else its name. */
export function ownerMark({ at, workspace, name, theme }: Introduction): Html {
  const { logo } = theme ?? {}
  if (!logo) return html`<bdi>${name}</bdi>`
  const src = fileAddress({ at, workspace }, 'logo', logo)
  return html`${logoPicture({ ...logo, src, name, kind: ' only-light' })}<bdi class="only-dark">${name}</bdi>`
}

/** The part of a file's address that changes with its bytes. */
function fileKey({ hash }: ThemeFile): string {
  return hash.slice(0, 16)
}

/** The sheet of the current theme of a workspace, which everyone may see. */
export async function themeReply(site: Site, request: Request, { workspace, key }: Ids): Promise<Reply | undefined> {
  const theme = await currentTheme(site, workspace)
  if (!theme || themeKey(theme) !== key) return undefined
  const fonts = theme.fonts?.map(font => ({
    ...font,
    address: fileAddress({ at: site.at, workspace }, 'font', font),
  }))
  return site.pages.reply(request.path, request, () =>
    textFile(accentSheet({ ...theme, fonts }), 'text/css', SHEET_CACHING),
  )
}

const SHEET_CACHING = ['Cache-Control', 'public, max-age=3600', 'Vary', 'Accept-Encoding']

async function currentTheme({ service }: Site, workspace: string): Promise<WorkspaceTheme | undefined> {
  const isThemed = isStoredWorkspaceId(workspace) && service.pointers.isThemed(workspace)
  return isThemed ? (await service.profileOf(workspace))?.theme : undefined
}

/** The current logo or a font of a workspace, which everyone may see. */
export async function themeFileReply(
  site: Site,
  request: Request,
  { workspace, key }: Ids,
): Promise<Reply | undefined> {
  const { logo, fonts = [] } = (await currentTheme(site, workspace)) ?? {}
  const file = [...(logo ? [logo] : []), ...fonts].find(each => fileKey(each) === key)
  if (!file || !isStoredWorkspaceId(workspace)) return undefined
  return site.downloads.reply({ record: { workspace }, published: { visibility: 'public' } }, file, request)
}
