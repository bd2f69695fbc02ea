import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from '../../../base/bytes.ts'
import { withoutUndefined } from '../../../base/object.ts'
import { isProjectId, isStoredWorkspaceId } from '../../../brand/ids.ts'
import type { Request } from '../../../exchange/message.ts'
import { readOwnForm } from '../../../exchange/own-form.ts'
import type { Target } from '../connection/resource.ts'
import type { Consenter } from './consenter.ts'

/** The content of a form of the consent page. */
export type ConsentForm = {
  action: 'allow' | 'cancel' | 'open'
  proof: string
  /** The address, share link or id of a workspace that the person entered. */
  place: string
}

/** Reads a form that a page of this service sent; undefined for any other request. */
export function readConsentForm(publicUrl: string, request: Request): ConsentForm | undefined {
  const form = readOwnForm(publicUrl, request, { maxBytes: MAX_BYTES, allowsNullOrigin: true })
  if (!form) return undefined
  const action = ACTIONS.find(each => each === form.get('action'))
  return action && { action, proof: form.get('proof') ?? '', place: (form.get('place') ?? '').trim() }
}

const MAX_BYTES = 8192
const ACTIONS = ['allow', 'cancel', 'open'] as const

/**
 * The proof in a form that this person got the page of this authorization at this place, so that no other site can send
 * the form for them. It also holds after the same person signed in again in another tab.
 */
export function formProof(
  secret: Uint8Array,
  { uid, place, consenter }: { uid: string; place: Target; consenter: Consenter | undefined },
): string {
  const text = JSON.stringify([uid, place.workspace, place.project, consenter?.subject])
  return createHmac('sha256', secret).update(`consent ${text}`).digest('base64url')
}

export function isProof(given: string, expected: string): boolean {
  return equalsInConstantTime(given, expected)
}

/** Reads an address of this service, a share link or the id of a workspace; undefined for anything else. */
export function readPlace(publicUrl: string, text: string): (Target & { linkSecret?: string }) | undefined {
  const path = text.startsWith(`${publicUrl}/`) ? text.slice(publicUrl.length + 1) : text.replace(/^\//, '')
  const [workspace = '', project = '', dash, kind, linkSecret] = path.replace(/[?#].*$/, '').split('/')
  if (!isStoredWorkspaceId(workspace)) return undefined
  if (project === '') return { workspace }
  if (!isProjectId(project)) return undefined
  const isLink = dash === '-' && kind === 'share'
  return withoutUndefined({ workspace, project, linkSecret: isLink ? linkSecret : undefined })
}
