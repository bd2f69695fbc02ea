import { setImmediate as nextTurn } from 'node:timers/promises'
import { LANGUAGES } from '#brand/languages.ts'
import { TOOLS } from '#delivery/agents/tools/tools.ts'
import { FORMATS } from '#delivery/export/formats.ts'
import { characterNames } from '#formats/font/character-names.ts'
import { signatureType } from '#formats/picture/signature.ts'
import { checkIssuers } from '#people/signin/people/issuer-failure.ts'
import { joinRuns } from '#platform/base/promise.ts'
import { CodeReplaced, isCodeReplaced, rememberPrograms } from '#platform/processes/program-code.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { openOutageLog } from '#platform/telemetry/outage-log.ts'
import { loadJose } from '#serving/access/keys/jose.ts'
import { loadSchemas } from '#site/folder-schemas.ts'
import { readWords } from '#site/words/words.ts'
import { explanationOf } from '#store/store-error.ts'
import type { HttpContext } from '../http/service/routes.ts'

type Load = () => unknown

/**
 * The code and assets that requests load on first use, so that a service starts without them. A test compares this list
 * with the imports of the service (decisions/0401).
 */
const CODE: readonly Load[] = [
  loadJose,
  () => import('#store/row-problems.ts'),
  () => import('#site/views.ts'),
  () => import('#formats/css/css-color.ts'),
  () => import('#site/library/files/file-card.ts'),
  () => import('#site/library/type/faces/frame-fonts.ts'),
  () => import('#site/pages/missing-page.ts'),
  () => import('#site/pages/page-subject.ts'),
  () => import('#site/thumbnails/drawable-svg.ts'),
  () => import('#site/exports/export-view.ts'),
  () => import('#site/brand-discovery.ts'),
  () => import('#delivery/export/make-export.ts'),
  () => import('#delivery/lint/logos.ts'),
  ...FORMATS.map(({ load }) => load),
  ...TOOLS.map(({ load }) => load),
  () => import('#brand/contract/openapi.ts'),
  () => import('#site/api-docs.ts'),
  () => import('#publishing/git/pull/commit-status.ts'),
  () => import('#people/manage/mail/mail-page.ts'),
  () => import('#people/manage/mail/message.ts'),
  () => import('#people/manage/project/project-page.ts'),
  () => import('#people/manage/project/rights.ts'),
  () => import('#people/manage/review-page.ts'),
  () => import('#people/manage/usage-page.ts'),
  () => import('#people/manage/workspace/sessions-page.ts'),
  () => import('#people/manage/workspace/workspace-page.ts'),
  ...LANGUAGES.map(language => async () => readWords(language)),
  characterNames,
  loadSchemas,
  rememberPrograms,
]

/** The code that signs people in at issuers, and lets their programs read for them. */
const SIGNIN_CODE: readonly Load[] = [
  () => import('openid-client'),
  () => import('#people/signin/agents/server/bridge.ts'),
  () => import('#people/signin/agents/consent/consent.ts'),
]

/** The code for people who edit. */
const EDIT_CODE: readonly Load[] = [
  () => import('#people/editor/edit/edit-page.ts'),
  () => import('#people/editor/edit/file.ts'),
  () => import('#people/editor/edit/history.ts'),
  () => import('#people/editor/edit/new-guide.ts'),
  () => import('#people/editor/edit/new-page.ts'),
  () => import('#people/editor/edit/upload.ts'),
  () => import('#publishing/edit-folder.ts'),
  () => import('#publishing/git/edit/check.ts'),
  () => import('#publishing/git/edit/journal.ts'),
  () => import('#publishing/git/edit/edits.ts'),
  async () => signatureType(new Uint8Array(), false),
]

/**
 * Loads all code and assets in the background, from a second after the start: requests then need no file descriptor for
 * them, and no unchanged package. Repeats what fails, and then checks the issuers. Returns the function that ends it.
 */
export function loadCode({ own, site, signin, edit }: HttpContext, log: Log): () => void {
  const code = [async () => site.assets.path('site.css'), ...CODE, async () => own.openApi(), async () => own.docs()]
  code.push(async () => log.debug({}, 'the code of all requests is loaded'))
  if (edit) code.unshift(...EDIT_CODE)
  // A proxy has no metadata.
  const clients = () => signin.signins.all().filter(({ settings }) => 'clientId' in settings.way)
  const signinCode = [signin.authorizationServer, ...SIGNIN_CODE, () => checkIssuers(signin, clients())]
  const reporter = openOutageLog(
    error => log.error({ err: error }, `code cannot be loaded: ${explanationOf(error)}`),
    () => log.info({}, 'code can be loaded again'),
    () => performance.now(),
  ).reporter()
  const load = joinRuns(async () => {
    try {
      await loadEach(code)
      if (signin.signins.hasAny()) await loadEach(signinCode)
      reporter.worked()
    } catch (error) {
      reporter.failed(isCodeReplaced(error) ? new CodeReplaced({ cause: error }) : error)
    }
  })
  const timer = setInterval(load, PAUSE_MS).unref()
  return () => clearInterval(timer)
}

const PAUSE_MS = 1000

/** Loads one after the other, and removes each from the list, so that the next call begins with the one that failed. */
async function loadEach(waiting: Load[]): Promise<void> {
  for (const load of [...waiting]) {
    await nextTurn()
    await load()
    waiting.shift()
  }
}
