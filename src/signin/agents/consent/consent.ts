import { errors, type Interaction, type Provider } from 'oidc-provider'
import { refusalReply, refuse } from '../../../contract/refusals.ts'
import type { Reply, Request } from '../../../exchange/message.ts'
import { redirect } from '../../../exchange/reply.ts'
import { refusedPage } from '../../../site/pages/refused-authorization.ts'
import { findClient } from '../../../store/access/clients.ts'
import { consentPath, isWithin, readResource, type Target } from '../connection/resource.ts'
import { withNode } from '../server/bridge.ts'
import { nameClient } from '../server/client-name.ts'
import { type Asked, type DecisionParts, decide } from './consent-decision.ts'
import { formProof, readConsentForm } from './consent-form.ts'
import { askPage, type ConsentPageParts } from './consent-question.ts'
import { consenterAt } from './consenter.ts'

export type ConsentParts = DecisionParts & ConsentPageParts

/**
 * Answers `/oauth/consent/{uid}` and `{guide}/-/consent/{uid}`: the page on which a person lets a program read, or not.
 * Only the browser that began the authorization gets it. A guide that the person may not see has the same page as one
 * that does not exist.
 */
export async function answerConsent(
  parts: ConsentParts,
  request: Request,
  { uid, place }: { uid: string; place: Target },
): Promise<Reply> {
  const { assets, publicUrl } = parts
  if (!METHODS.includes(request.method))
    return refusalReply(refuse('method-not-allowed', ['Allow', METHODS.join(', ')]), publicUrl)
  const interaction = await currentInteraction(parts, request)
  if (interaction?.uid !== uid) return refusedPage(assets, 400, 'the authorization has expired, or began elsewhere')
  if (interaction.result !== undefined) return redirect(303, interaction.returnTo)
  const resource = [interaction.params.resource].flat()[0] ?? ''
  const target = readResource(publicUrl, resource) ?? {}
  if (!isWithin(place, target)) return redirect(303, publicUrl + consentPath(target, uid))
  const program = await programOf(parts, interaction)
  if (!program) return refusedPage(assets, 400, 'the metadata of the program cannot be read')
  const consenter = await consenterAt(parts, request, place)
  const proof = formProof(parts.secret, { uid, place, consenter })
  const asked: Asked = { request, interaction, resource, program, place, consenter, proof }
  if (request.method !== 'POST') return askPage(parts, asked, { isWrong: false })
  const form = readConsentForm(publicUrl, request)
  if (!form) return refusedPage(assets, 403, 'the form was not sent by a page of this service')
  return (await decide(parts, asked, form)) ?? askPage(parts, asked, { isWrong: form.action === 'open' })
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST']

/** The authorization that this browser began last; undefined if it has expired. */
async function currentInteraction(parts: ConsentParts, request: Request): Promise<Interaction | undefined> {
  const { provider } = await parts.server.load()
  return withNode(parts.publicUrl, request, (incoming, outgoing) =>
    provider.interactionDetails(incoming, outgoing).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }),
  )
}

/** The program that asks. The operator registers programs for a workspace, and may limit them. */
async function programOf(parts: ConsentParts, { params }: Interaction): Promise<Asked['program'] | undefined> {
  const { provider } = await parts.server.load()
  const client = await findInLibrary(provider, params.client_id)
  if (!client) return undefined
  const registered = await findClient(parts.database, client.clientId)
  return { ...nameClient(client), id: client.clientId, ...(registered && { registered }) }
}

async function findInLibrary(provider: Provider, id: string) {
  try {
    return await provider.Client.find(id)
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) return undefined
    throw error
  }
}
