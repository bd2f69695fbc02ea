import { type Client, errors, type Interaction, type Provider } from 'oidc-provider'
import { withoutUndefined } from '../../../base/object.ts'
import type { Reply, Request } from '../../../exchange/message.ts'
import { redirect } from '../../../exchange/reply.ts'
import { refusedPage } from '../../../site/pages/standalone-page.ts'
import { findClient } from '../../../store/access/clients.ts'
import type { SigninContext } from '../../context.ts'
import { consentPath, isWithin, readResource, type Target } from '../connection/resource.ts'
import { forAuthorization } from '../server/begun-authorizations.ts'
import { withNode } from '../server/bridge.ts'
import { type Asked, decide, type Program, recordRefusedForm } from './consent-decision.ts'
import { formProof, readConsentForm } from './consent-form.ts'
import { askPage } from './consent-question.ts'
import { consenterAt } from './consenter.ts'

/**
 * Answers `/oauth/consent/{uid}` and `{guide}/-/consent/{uid}`: the page on which a person lets a program read, or not.
 * Only the browser that began the authorization gets it. A guide that the person may not see has the same page as one
 * that does not exist.
 */
export async function answerConsent(
  context: SigninContext,
  received: Request,
  { uid, place }: { uid: string; place: Target },
): Promise<Reply> {
  const { assets, publicUrl } = context
  const request = forAuthorization(publicUrl, received, uid)
  const interaction = await currentInteraction(context, request)
  const { workspace } = place
  if (interaction?.uid !== uid) {
    if (request.method === 'POST') recordRefusedForm(context, request, 'session', { workspace })
    return refusedPage(assets, request, 400, 'the authorization has expired, or began elsewhere')
  }
  if (interaction.result !== undefined) return redirect(303, interaction.returnTo)
  const resource = [interaction.params.resource].flat()[0] ?? ''
  const target = readResource(publicUrl, resource) ?? {}
  if (!isWithin(place, target)) return redirect(303, publicUrl + consentPath(target, uid))
  const program = await programOf(context, interaction)
  if (!program) return refusedPage(assets, request, 400, 'the metadata of the program cannot be read')
  const consenter = await consenterAt(context, request, place)
  const proof = formProof(context.formSecret, { uid, place, consenter })
  const asked: Asked = { request, interaction, resource, program, place, consenter, proof }
  if (request.method !== 'POST') return askPage(context, asked, { isWrong: false })
  const form = readConsentForm(publicUrl, request)
  if (!form) {
    recordRefusedForm(context, request, 'cross-site', { workspace, client: program.id, consenter })
    return refusedPage(assets, request, 403, 'the form was not sent by a page of this service')
  }
  return (await decide(context, asked, form)) ?? askPage(context, asked, { isWrong: form.action === 'open' })
}

/** The authorization that this browser began; undefined if it has expired. */
async function currentInteraction(context: SigninContext, request: Request): Promise<Interaction | undefined> {
  const { provider } = await context.authorizationServer()
  return withNode(context.publicUrl, request, (incoming, outgoing) =>
    provider.interactionDetails(incoming, outgoing).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }),
  )
}

/** The program that asks. The operator registers programs for a workspace, and may limit them. */
async function programOf(context: SigninContext, { params }: Interaction): Promise<Program | undefined> {
  const { provider } = await context.authorizationServer()
  const client = await findInLibrary(provider, params.client_id)
  if (!client) return undefined
  const registered = await findClient(context.database, client.clientId)
  return { ...nameClient(client), id: client.clientId, ...withoutUndefined({ registered }) }
}

async function findInLibrary(provider: Provider, id: string) {
  try {
    return await provider.Client.find(id)
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) return undefined
    throw error
  }
}

/** The name of a program. That of one whose metadata outsiders write is without control and direction characters. */
function nameClient({ clientId, clientName = '' }: Client): Pick<Program, 'name' | 'host'> {
  const name = [...clientName.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, MAX_CHARACTERS).join('')
  if (!clientId.startsWith('https://')) return { name: name === '' ? clientId : name }
  const { host } = new URL(clientId)
  return { name: name === '' ? host : name, host }
}

const MAX_CHARACTERS = 60
