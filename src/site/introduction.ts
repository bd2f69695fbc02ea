import { offersSignin } from '../access/session/signins.ts'
import type { MaybePromise } from '../base/promise.ts'
import { filename } from '../brand/file.ts'
import { isStoredWorkspaceId } from '../brand/ids.ts'
import { NEUTRAL } from '../brand/styles/contrast.ts'
import type { WorkspaceLogo, WorkspaceProfile } from '../brand/workspace-theme.ts'
import type { Ids } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { encodeSegment } from '../serving/addresses.ts'
import type { Assets } from './assets.ts'
import { type Html, html } from './html.ts'
import { logoPicture } from './layout/document.ts'
import { accentSheet } from './library/theme-sheet.ts'
import type { Site } from './site.ts'
import { textFile } from './texts/agent-texts.ts'

/** The parts of a workspace that everyone may see before its guides. */
export type Introduction = WorkspaceProfile & { workspace: string; base: string }

/**
 * The introduction of a workspace that has a theme or a contact, or offers to sign in. Undefined for any other, as for
 * an unknown one, without asking the store. It depends on nothing else, so that it does not reveal which projects exist.
 */
export async function introductionOf({ service, base }: Site, workspace: string): Promise<Introduction | undefined> {
  const { signins, pointers, profileOf } = service
  if (!pointers.isThemed(workspace) && !offersSignin(signins, workspace)) return undefined
  const profile = await profileOf(workspace)
  return profile && { ...profile, workspace, base }
}

/**
 * The address for signing in from a page of no workspace; undefined if no workspace offers it. It names the only
 * workspace that does if that has public guides. Otherwise people enter theirs, so that no private one is revealed.
 */
export async function signInAddress({ service, base }: Site, returnPath: string): Promise<string | undefined> {
  const { signins, pointers } = service
  const ids = new Set(signins.all().map(({ workspace }) => workspace))
  const [workspace, other] = [...ids].filter(id => offersSignin(signins, id))
  if (workspace === undefined) return undefined
  const isListed = other === undefined && (await pointers.openWorkspace(workspace))?.open.length
  return `${base}/-/signin?${new URLSearchParams({ ...(isListed && { workspace }), return: base + returnPath })}`
}

/** The style sheets of a page with the theme of its workspace. */
export function introductionLinks(assets: Assets, introduction: Introduction): Html | undefined {
  const link = accentLink(introduction)
  return link && html`<link rel="stylesheet" href="${assets.path('front.css')}">\n${link}`
}

/** The style sheet with the colours of the theme of a workspace. */
export function accentLink({ base, theme }: Introduction): Html | undefined {
  const { accent = NEUTRAL.text } = theme ?? {}
  return theme && html`<link rel="stylesheet" href="${base}/-/accent/${accent.slice(1)}.css">\n`
}

/** The logo of a workspace, or else its name. */
export function ownerMark({ base, workspace, name, theme }: Introduction): Html {
  const { logo } = theme ?? {}
  if (!logo) return html`<bdi>${name}</bdi>`
  const src = `${base}/${workspace}/-/logo/${logoKey(logo)}/${encodeSegment(filename(logo.path))}`
  return logoPicture({ ...logo, src, name, kind: ' bare' })
}

/** The part of a logo's address that changes with its bytes. */
function logoKey({ hash }: WorkspaceLogo): string {
  return hash.slice(0, 16)
}

/** The sheet with the accent of a theme: any colour as six hex digits. */
export function accentReply({ pages }: Site, request: Request, color: string): MaybePromise<Reply | undefined> {
  if (!/^[0-9a-f]{6}$/.test(color)) return undefined
  const caching = ['Cache-Control', 'public, max-age=3600', 'Vary', 'Accept-Encoding']
  return pages.reply(request.path, request, () => textFile(accentSheet(`#${color}`), 'text/css', caching))
}

/** The current logo of a workspace, which everyone may see. */
export async function logoReply(
  { service, downloads }: Site,
  request: Request,
  { workspace, key }: Ids,
): Promise<Reply | undefined> {
  if (!isStoredWorkspaceId(workspace) || !service.pointers.isThemed(workspace)) return undefined
  const logo = (await service.profileOf(workspace))?.theme?.logo
  if (!logo || logoKey(logo) !== key) return undefined
  return downloads.reply({ record: { workspace }, published: { visibility: 'public' } }, logo, request)
}
