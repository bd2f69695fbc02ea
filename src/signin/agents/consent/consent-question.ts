import { offersSignin } from '../../../access/session/signins.ts'
import { withoutUndefined } from '../../../base/object.ts'
import type { Reply } from '../../../exchange/message.ts'
import { basePath } from '../../../exchange/target.ts'
import { guideName } from '../../../serving/publications/publications.ts'
import { accessView, allowView, consentPage } from '../../../site/consent/consent-views.ts'
import { introductionOf } from '../../../site/introduction.ts'
import type { ThemeSource } from '../../../site/layout/document.ts'
import type { SigninContext } from '../../context.ts'
import { consentPath, type Target } from '../connection/resource.ts'
import { type Asked, scopesFor } from './consent-decision.ts'
import type { Consenter } from './consenter.ts'

/** The page that asks the person to allow the program, or first for access to the content. */
export async function askPage(context: SigninContext, asked: Asked, { isWrong }: { isWrong: boolean }): Promise<Reply> {
  const { request, interaction, program, place, consenter, proof } = asked
  const { workspace } = place
  const returnAddress = interaction.params.redirect_uri
  const guide = await shownGuide(context, place, consenter)
  const introduction = guide || workspace === undefined ? undefined : await introductionOf(context, workspace)
  const page = withoutUndefined({ request, guide, introduction, returnAddress })
  if (!consenter || workspace === undefined) {
    const signIn = signInAddress(context, place, interaction.uid)
    const view = withoutUndefined({ program, proof, isWrong, hasPlace: workspace !== undefined, signIn })
    return consentPage(context.assets, { ...page, content: words => accessView(view, words) })
  }
  const { projects, origin, name, expiresAt } = consenter
  const signInAgain = lastsOnlyForSession(consenter) ? signInAddress(context, place, interaction.uid) : undefined
  const ids = place.project === undefined ? projects?.map(({ project }) => project) : undefined
  const view = withoutUndefined({
    program,
    proof,
    guide: guide && guideName(guide),
    workspace: (await context.pointers.workspace(workspace))?.name ?? workspace,
    projects: ids,
    scopes: scopesFor(asked),
    consenter: { isPerson: 'session' in origin, name },
    expiresAt,
    signInAgain,
    returnAddress,
  })
  return consentPage(context.assets, { ...page, content: words => allowView(view, words) })
}

/** Whether the issuer of a person gave no tokens for a longer connection. */
function lastsOnlyForSession({ person, issuer }: Consenter): boolean {
  return person !== undefined && person.id !== '' && !issuer
}

function signInAddress({ publicUrl, signins }: SigninContext, place: Target, uid: string): string | undefined {
  const { workspace } = place
  if (workspace === undefined || !offersSignin(signins, workspace)) return undefined
  const base = basePath(publicUrl)
  return `${base}/-/signin?${new URLSearchParams({ workspace, return: base + consentPath(place, uid) })}`
}

/** The guide at a place, if it is public or the person may see it. */
async function shownGuide(
  { pointers, openPublication, paths }: SigninContext,
  { workspace = '', project = '' }: Target,
  consenter: Consenter | undefined,
): Promise<ThemeSource | undefined> {
  const open = await pointers.openWorkspace(workspace)
  const isPublic = open?.projects.get(project)?.published.visibility === 'public'
  const state = isPublic ? open : consenter && (await pointers.workspace(workspace))
  const publication = openPublication(state?.projects.get(project))
  return state && publication && { publication, workspace: state.name, paths }
}
